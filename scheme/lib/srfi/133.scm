;;; SRFI 133, the body.

(define (check-vector who object)
  (if (not (vector? object))
      (error (string-append (symbol->string who) ": not a vector") object)))

;; Calls (f start end) for the optional arguments REST of WHO over V.
(define (with-span who v rest f)
  (check-vector who v)
  (let* ((n (vector-length v))
         (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) n))
         (start (if (pair? rest) (car rest) 0)))
    (if (not (and (exact-integer? start) (exact-integer? end)
                  (<= 0 start end n)))
        (error (string-append (symbol->string who) ": range out of the vector")
               start end v))
    (f start end)))

(define (shortest vectors)
  (apply min (map vector-length vectors)))

(define (elements vectors i)
  (map (lambda (v) (vector-ref v i)) vectors))

;; -- constructors -----------------------------------------------------------

;; Store (f i seed ...) at each index from i to below end; the further values
;; are the next seeds.
(define (unfold-up! f v i end seeds)
  (if (< i end)
      (call-with-values (lambda () (apply f i seeds))
        (lambda (element . seeds)
          (vector-set! v i element)
          (unfold-up! f v (+ i 1) end seeds)))))

(define (unfold-down! f v i start seeds)
  (if (>= i start)
      (call-with-values (lambda () (apply f i seeds))
        (lambda (element . seeds)
          (vector-set! v i element)
          (unfold-down! f v (- i 1) start seeds)))))

;;> (vector-unfold f length seed ...)
;;> Return a vector of (f index seed ...), which answers an element and the next
;;> seeds. (vector-unfold (lambda (i x) (values x (* 2 x))) 3 1) => #(1 2 4)
(define (vector-unfold f length . seeds)
  (let ((v (make-vector length)))
    (unfold-up! f v 0 length seeds)
    v))

;;> (vector-unfold-right f length seed ...)
;;> The same, from the last index down.
(define (vector-unfold-right f length . seeds)
  (let ((v (make-vector length)))
    (unfold-down! f v (- length 1) 0 seeds)
    v))

;;> (vector-unfold! f vector start end seed ...), vector-unfold-right!
;;> Store what vector-unfold would return from START to END.
(define (vector-unfold! f v start end . seeds)
  (unfold-up! f v start end seeds))
(define (vector-unfold-right! f v start end . seeds)
  (unfold-down! f v (- end 1) start seeds))

;;> (vector-reverse-copy vector [start [end]])
;;> Return a new vector of the elements in reverse order.
(define (vector-reverse-copy v . rest)
  (with-span 'vector-reverse-copy v rest
    (lambda (start end) (list->vector (reverse (vector->list v start end))))))

;;> (vector-concatenate vectors)
;;> Append a list of vectors.
(define (vector-concatenate vectors) (apply vector-append vectors))

;;> (vector-append-subvectors vector start end ...)
;;> Append spans of vectors.
(define (vector-append-subvectors . rest)
  (let loop ((rest rest) (out '()))
    (if (pair? rest)
        (loop (cdddr* rest)
              (cons (vector-copy (car rest) (cadr rest) (car (cddr rest)))
                    out))
        (vector-concatenate (reverse out)))))

(define (cdddr* list) (cdr (cddr list)))

;; -- predicates -------------------------------------------------------------

;;> (vector-empty? vector)
;;> Has VECTOR no elements?
(define (vector-empty? v) (= (vector-length v) 0))

(define (vector=2 same? a b)
  (let ((n (vector-length a)))
    (and (= n (vector-length b))
         (let loop ((i 0))
           (or (= i n)
               (and (same? (vector-ref a i) (vector-ref b i))
                    (loop (+ i 1))))))))

;;> (vector= same? vector ...)
;;> Are the vectors of one length, with elements that are SAME? in pairs?
(define (vector= same? . vectors)
  (let loop ((vectors vectors))
    (or (null? vectors)
        (null? (cdr vectors))
        (and (or (eq? (car vectors) (cadr vectors))
                 (vector=2 same? (car vectors) (cadr vectors)))
             (loop (cdr vectors))))))

;; -- iteration --------------------------------------------------------------

;;> (vector-fold kons knil vector vector ...)
;;> Combine from the left: (kons accumulated element ...).
(define (vector-fold kons knil v . more)
  (if (null? more)
      (let ((n (vector-length v)))
        (let loop ((i 0) (out knil))
          (if (< i n) (loop (+ i 1) (kons out (vector-ref v i))) out)))
      (let* ((vectors (cons v more))
             (n (shortest vectors)))
        (let loop ((i 0) (out knil))
          (if (< i n)
              (loop (+ i 1) (apply kons out (elements vectors i)))
              out)))))

;;> (vector-fold-right kons knil vector vector ...)
;;> Combine from the right: (kons accumulated element ...).
(define (vector-fold-right kons knil v . more)
  (let* ((vectors (cons v more))
         (n (shortest vectors)))
    (let loop ((i (- n 1)) (out knil))
      (if (< i 0)
          out
          (loop (- i 1) (apply kons out (elements vectors i)))))))

;;> (vector-map! f vector vector ...)
;;> Replace each element of the first vector by what F answers.
(define (vector-map! f v . more)
  (let* ((vectors (cons v more))
         (n (shortest vectors)))
    (let loop ((i 0))
      (if (< i n)
          (begin
            (vector-set! v i (apply f (elements vectors i)))
            (loop (+ i 1)))))))

;;> (vector-count satisfied? vector vector ...)
;;> Count the (tuples of) elements that satisfy.
(define (vector-count satisfied? . vectors)
  (apply vector-fold
         (lambda (n . elements) (if (apply satisfied? elements) (+ n 1) n))
         0 vectors))

;;> (vector-cumulate f knil vector)
;;> Return the vector of the accumulated values. (vector-cumulate + 0 #(1 2)) =>
;;> #(1 3)
(define (vector-cumulate f knil v)
  (let* ((n (vector-length v))
         (out (make-vector n)))
    (let loop ((i 0) (last knil))
      (if (< i n)
          (let ((next (f last (vector-ref v i))))
            (vector-set! out i next)
            (loop (+ i 1) next))
          out))))

;; -- searching --------------------------------------------------------------

;;> (vector-index satisfied? vector vector ...), also -right, vector-skip
;;> Return the index of the first (last) elements that satisfy (do not), or #f.
(define (vector-index satisfied? . vectors)
  (let ((n (shortest vectors)))
    (let loop ((i 0))
      (cond ((= i n) #f)
            ((apply satisfied? (elements vectors i)) i)
            (else (loop (+ i 1)))))))
(define (vector-index-right satisfied? . vectors)
  (let loop ((i (- (shortest vectors) 1)))
    (cond ((< i 0) #f)
          ((apply satisfied? (elements vectors i)) i)
          (else (loop (- i 1))))))
(define (complement satisfied?)
  (lambda elements (not (apply satisfied? elements))))
(define (vector-skip satisfied? . vectors)
  (apply vector-index (complement satisfied?) vectors))
(define (vector-skip-right satisfied? . vectors)
  (apply vector-index-right (complement satisfied?) vectors))

;;> (vector-binary-search vector value compare)
;;> Return the index of an element for which (compare element value) is 0 in a
;;> sorted vector, or #f.
(define (vector-binary-search v value compare)
  (let loop ((low 0) (high (vector-length v)))
    (if (= low high)
        #f
        (let* ((i (quotient (+ low high) 2))
               (order (compare (vector-ref v i) value)))
          (cond ((= order 0) i)
                ((< order 0) (loop (+ i 1) high))
                (else (loop low i)))))))

;;> (vector-any satisfied? vector vector ...)
;;> Return the first true answer, or #f.
(define (vector-any satisfied? . vectors)
  (let ((n (shortest vectors)))
    (let loop ((i 0))
      (and (< i n)
           (or (apply satisfied? (elements vectors i)) (loop (+ i 1)))))))

;;> (vector-every satisfied? vector vector ...)
;;> Return #f at the first false answer, else the last answer.
(define (vector-every satisfied? . vectors)
  (let ((n (shortest vectors)))
    (let loop ((i 0) (answer #t))
      (if (< i n)
          (let ((answer (apply satisfied? (elements vectors i))))
            (and answer (loop (+ i 1) answer)))
          answer))))

;;> (vector-partition satisfied? vector)
;;> Return a vector with the elements that satisfy first, and their number.
(define (vector-partition satisfied? v)
  (let loop ((rest (vector->list v)) (in '()) (out '()) (n 0))
    (cond ((null? rest)
           (values (list->vector (append (reverse in) (reverse out))) n))
          ((satisfied? (car rest))
           (loop (cdr rest) (cons (car rest) in) out (+ n 1)))
          (else (loop (cdr rest) in (cons (car rest) out) n)))))

;; -- mutators ---------------------------------------------------------------

;;> (vector-swap! vector i j)
;;> Exchange two elements.
(define (vector-swap! v i j)
  (let ((element (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j element)))

;;> (vector-reverse! vector [start [end]])
;;> Reverse the elements.
(define (vector-reverse! v . rest)
  (with-span 'vector-reverse! v rest
    (lambda (start end)
      (let loop ((i start) (j (- end 1)))
        (if (< i j)
            (begin
              (vector-swap! v i j)
              (loop (+ i 1) (- j 1))))))))

;;> (vector-reverse-copy! to at from [start [end]])
;;> Store the elements of FROM in reverse order in TO.
(define (vector-reverse-copy! to at from . rest)
  (vector-copy! to at (apply vector-reverse-copy from rest)))

;; -- conversion -------------------------------------------------------------

;;> (reverse-vector->list vector [start [end]])
;;> Return the list of the elements in reverse order.
(define (reverse-vector->list v . rest)
  (reverse (apply vector->list v rest)))

;;> (reverse-list->vector list)
;;> Return the vector of the elements in reverse order.
(define (reverse-list->vector list) (list->vector (reverse list)))
