;;; SRFI 134, the body. FRONT is a list from the front on, BACK one from the back
;;; on; neither is more than three times as long as the other, and one.

(define-record-type <ideque>
  (make-ideque front-length front back-length back)
  ideque?
  (front-length front-length)
  (front front)
  (back-length back-length)
  (back back))

(define empty (make-ideque 0 '() 0 '()))

(define (check who dq)
  (if (not (ideque? dq))
      (error (string-append (symbol->string who) ": not an ideque") dq)))

(define (check-full who dq)
  (check who dq)
  (if (ideque-empty? dq)
      (error (string-append (symbol->string who) ": an empty ideque"))))

;; A deque of these lists, made even where one is too long.
(define (balanced n front m back)
  (cond ((> n (+ 1 (* 3 m)))
         (let ((half (quotient (+ n m) 2)))
           (make-ideque half (take front half)
                        (- (+ n m) half)
                        (append back (reverse (drop front half))))))
        ((> m (+ 1 (* 3 n)))
         (let ((half (quotient (+ n m) 2)))
           (make-ideque (- (+ n m) half)
                        (append front (reverse (drop back half)))
                        half (take back half))))
        (else (make-ideque n front m back))))

;; -- constructors -----------------------------------------------------------

;;> (ideque obj ...)
;;> Return a deque of the arguments. (ideque->list (ideque 1 2)) => (1 2)
(define (ideque . elements) (list->ideque elements))

;;> (list->ideque list)
;;> Return a deque of LIST's elements.
(define (list->ideque list)
  (balanced (length list) list 0 '()))

;;> (ideque->list ideque)
;;> Return the list of the elements.
(define (ideque->list dq)
  (check 'ideque->list dq)
  (append (front dq) (reverse (back dq))))

;;> (ideque-tabulate n f)
;;> Return the deque of (f 0) ... (f (- n 1)).
;;> (ideque->list (ideque-tabulate 3 -)) => (0 -1 -2)
(define (ideque-tabulate n f) (list->ideque (list-tabulate n f)))

;;> (ideque-unfold stop? mapper successor seed)
;;> Return the deque of (mapper seed), until (stop? seed).
(define (ideque-unfold stop? mapper successor seed)
  (list->ideque (unfold stop? mapper successor seed)))

;;> (ideque-unfold-right stop? mapper successor seed)
;;> Like ideque-unfold, from the back on.
(define (ideque-unfold-right stop? mapper successor seed)
  (list->ideque (unfold-right stop? mapper successor seed)))

;; -- predicates -------------------------------------------------------------

;;> (ideque-empty? ideque)
;;> Has it no elements? (ideque-empty? (ideque)) => #t
(define (ideque-empty? dq)
  (check 'ideque-empty? dq)
  (= 0 (ideque-length dq)))

;;> (ideque= same? ideque ...)
;;> Have all deques the same elements in the same order?
(define (ideque= same? . deques)
  (or (null? deques)
      (null? (cdr deques))
      (and (apply = (map ideque-length deques))
           (apply list= same? (map ideque->list deques)))))

;;> (ideque-any f ideque ...)
;;> Return the first true value of F for an element, or #f.
(define (ideque-any f dq . more)
  (if (null? more)
      (or (any f (front dq)) (any f (reverse (back dq))))
      (apply any f (ideque->list dq) (map ideque->list more))))

;;> (ideque-every f ideque ...)
;;> Return the last value of F if it is true for all elements, else #f.
(define (ideque-every f dq . more)
  (apply every f (ideque->list dq) (map ideque->list more)))

;; -- both ends --------------------------------------------------------------

;;> (ideque-front ideque)
;;> Return the first element. (ideque-front (ideque 1 2)) => 1
(define (ideque-front dq)
  (check-full 'ideque-front dq)
  (if (pair? (front dq)) (car (front dq)) (last (back dq))))

;;> (ideque-back ideque)
;;> Return the last element. (ideque-back (ideque 1 2)) => 2
(define (ideque-back dq)
  (check-full 'ideque-back dq)
  (if (pair? (back dq)) (car (back dq)) (last (front dq))))

;;> (ideque-add-front ideque obj)
;;> Return the deque with OBJ in front.
;;> (ideque->list (ideque-add-front (ideque 1) 0)) => (0 1)
(define (ideque-add-front dq obj)
  (check 'ideque-add-front dq)
  (balanced (+ 1 (front-length dq)) (cons obj (front dq))
            (back-length dq) (back dq)))

;;> (ideque-add-back ideque obj)
;;> Return the deque with OBJ at the back.
;;> (ideque->list (ideque-add-back (ideque 1) 2)) => (1 2)
(define (ideque-add-back dq obj)
  (check 'ideque-add-back dq)
  (balanced (front-length dq) (front dq)
            (+ 1 (back-length dq)) (cons obj (back dq))))

;;> (ideque-remove-front ideque)
;;> Return the deque without its first element.
(define (ideque-remove-front dq)
  (check-full 'ideque-remove-front dq)
  (if (pair? (front dq))
      (balanced (- (front-length dq) 1) (cdr (front dq))
                (back-length dq) (back dq))
      empty))

;;> (ideque-remove-back ideque)
;;> Return the deque without its last element.
(define (ideque-remove-back dq)
  (check-full 'ideque-remove-back dq)
  (if (pair? (back dq))
      (balanced (front-length dq) (front dq)
                (- (back-length dq) 1) (cdr (back dq)))
      empty))

;; -- other accessors --------------------------------------------------------

(define (check-index who dq n limit)
  (check who dq)
  (if (not (and (exact-integer? n) (<= 0 n limit)))
      (error (string-append (symbol->string who) ": index out of range")
             n dq)))

;;> (ideque-ref ideque n)
;;> Return element N. (ideque-ref (ideque 'a 'b) 1) => b
(define (ideque-ref dq n)
  (check-index 'ideque-ref dq n (- (ideque-length dq) 1))
  (if (< n (front-length dq))
      (list-ref (front dq) n)
      (list-ref (back dq) (- (ideque-length dq) n 1))))

;;> (ideque-take ideque n)
;;> Return the deque of the first N elements.
(define (ideque-take dq n)
  (check-index 'ideque-take dq n (ideque-length dq))
  (if (<= n (front-length dq))
      (balanced n (take (front dq) n) 0 '())
      (let ((rest (- (ideque-length dq) n)))
        (balanced (front-length dq) (front dq)
                  (- (back-length dq) rest) (drop (back dq) rest)))))

;;> (ideque-drop ideque n)
;;> Return the deque without the first N elements.
(define (ideque-drop dq n)
  (check-index 'ideque-drop dq n (ideque-length dq))
  (if (<= n (front-length dq))
      (balanced (- (front-length dq) n) (drop (front dq) n)
                (back-length dq) (back dq))
      (let ((rest (- (ideque-length dq) n)))
        (balanced 0 '() rest (take (back dq) rest)))))

;;> (ideque-take-right ideque n)
;;> Return the deque of the last N elements.
(define (ideque-take-right dq n)
  (check-index 'ideque-take-right dq n (ideque-length dq))
  (ideque-drop dq (- (ideque-length dq) n)))

;;> (ideque-drop-right ideque n)
;;> Return the deque without the last N elements.
(define (ideque-drop-right dq n)
  (check-index 'ideque-drop-right dq n (ideque-length dq))
  (ideque-take dq (- (ideque-length dq) n)))

;;> (ideque-split-at ideque n)
;;> Return the deques of the first N elements and of the rest.
(define (ideque-split-at dq n)
  (values (ideque-take dq n) (ideque-drop dq n)))

;; -- whole ideques ----------------------------------------------------------

;;> (ideque-length ideque)
;;> Return the number of elements. (ideque-length (ideque 1 2)) => 2
(define (ideque-length dq)
  (check 'ideque-length dq)
  (+ (front-length dq) (back-length dq)))

;;> (ideque-append ideque ...)
;;> Return the deque of all elements.
(define (ideque-append . deques)
  (cond ((null? deques) empty)
        ((null? (cdr deques)) (check 'ideque-append (car deques)) (car deques))
        (else
         (list->ideque (append-map ideque->list deques)))))

;;> (ideque-reverse ideque)
;;> Return the deque the other way round, in constant time.
(define (ideque-reverse dq)
  (check 'ideque-reverse dq)
  (make-ideque (back-length dq) (back dq) (front-length dq) (front dq)))

;;> (ideque-count f ideque ...)
;;> Return how many elements satisfy F.
(define (ideque-count f . deques)
  (apply count f (map ideque->list deques)))

;;> (ideque-zip ideque ...)
;;> Return the deque of lists of the first elements, the second ones, and so on.
(define (ideque-zip . deques)
  (list->ideque (apply zip (map ideque->list deques))))

;; -- mapping ----------------------------------------------------------------

;;> (ideque-map f ideque ...)
;;> Return the deque of F's values.
(define (ideque-map f . deques)
  (list->ideque (apply map f (map ideque->list deques))))

;;> (ideque-filter-map f ideque ...)
;;> Return the deque of F's true values.
(define (ideque-filter-map f . deques)
  (list->ideque (apply filter-map f (map ideque->list deques))))

;;> (ideque-for-each f ideque ...)
;;> Call F with the elements from front to back.
(define (ideque-for-each f . deques)
  (apply for-each f (map ideque->list deques)))

;;> (ideque-for-each-right f ideque ...)
;;> Call F with the elements from back to front.
(define (ideque-for-each-right f . deques)
  (apply for-each f
         (map (lambda (dq) (reverse (ideque->list dq))) (same-length deques))))

;; The deques, cut at the back to the shortest length.
(define (same-length deques)
  (let ((n (apply min (map ideque-length deques))))
    (map (lambda (dq) (ideque-take dq n)) deques)))

;;> (ideque-fold kons knil ideque ...)
;;> Fold from front to back.
(define (ideque-fold kons knil . deques)
  (apply fold kons knil (map ideque->list deques)))

;;> (ideque-fold-right kons knil ideque ...)
;;> Fold from back to front.
(define (ideque-fold-right kons knil . deques)
  (apply fold-right kons knil (map ideque->list deques)))

;;> (ideque-append-map f ideque ...)
;;> Return the deque of all elements of the lists that F gives.
(define (ideque-append-map f . deques)
  (list->ideque (apply append-map f (map ideque->list deques))))

;; -- filtering, searching ---------------------------------------------------

;;> (ideque-filter f ideque)
;;> Return the deque of the elements that satisfy F.
(define (ideque-filter f dq) (list->ideque (filter f (ideque->list dq))))

;;> (ideque-remove f ideque)
;;> Return the deque of the elements that do not satisfy F.
(define (ideque-remove f dq) (list->ideque (remove f (ideque->list dq))))

;;> (ideque-partition f ideque)
;;> Return the deques of the elements that satisfy F and of the others.
(define (ideque-partition f dq)
  (call-with-values (lambda () (partition f (ideque->list dq)))
    (lambda (in out) (values (list->ideque in) (list->ideque out)))))

;; The first element of LIST that satisfies F; else what FAILURE gives, or #f.
(define (find-in f list failure)
  (let ((tail (find-tail f list)))
    (cond (tail (car tail))
          ((pair? failure) ((car failure)))
          (else #f))))

;;> (ideque-find f ideque [failure])
;;> Return the first element that satisfies F; if none does, (failure) or #f.
(define (ideque-find f dq . failure) (find-in f (ideque->list dq) failure))

;;> (ideque-find-right f ideque [failure])
;;> Return the last element that satisfies F; if none does, (failure) or #f.
(define (ideque-find-right f dq . failure)
  (find-in f (reverse (ideque->list dq)) failure))

;;> (ideque-take-while f ideque)
;;> Return the longest beginning whose elements satisfy F.
(define (ideque-take-while f dq)
  (list->ideque (take-while f (ideque->list dq))))

;;> (ideque-drop-while f ideque)
;;> Return what ideque-take-while leaves.
(define (ideque-drop-while f dq)
  (list->ideque (drop-while f (ideque->list dq))))

;;> (ideque-take-while-right f ideque)
;;> Return the longest end whose elements satisfy F.
(define (ideque-take-while-right f dq)
  (ideque-reverse (ideque-take-while f (ideque-reverse dq))))

;;> (ideque-drop-while-right f ideque)
;;> Return what ideque-take-while-right leaves.
(define (ideque-drop-while-right f dq)
  (ideque-reverse (ideque-drop-while f (ideque-reverse dq))))

;;> (ideque-span f ideque)
;;> Return the longest beginning whose elements satisfy F, and the rest.
(define (ideque-span f dq)
  (call-with-values (lambda () (span f (ideque->list dq)))
    (lambda (head tail) (values (list->ideque head) (list->ideque tail)))))

;;> (ideque-break f ideque)
;;> Return the longest beginning whose elements do not satisfy F, and the rest.
(define (ideque-break f dq)
  (ideque-span (lambda (x) (not (f x))) dq))

;; -- generators -------------------------------------------------------------

;;> (generator->ideque generator)
;;> Return the deque of what GENERATOR gives.
(define (generator->ideque generator)
  (let loop ((out '()))
    (let ((item (generator)))
      (if (eof-object? item)
          (list->ideque (reverse out))
          (loop (cons item out))))))

;;> (ideque->generator ideque)
;;> Return a generator of the elements.
(define (ideque->generator dq)
  (check 'ideque->generator dq)
  (lambda ()
    (if (ideque-empty? dq)
        (eof-object)
        (let ((first (ideque-front dq)))
          (set! dq (ideque-remove-front dq))
          first))))
