;;; SRFI 1, the body. Loops keep what they found in a reversed list that nobody
;;; changes, so that long lists need no deep recursion and continuations may be
;;; entered again.

;; -- helpers -----------------------------------------------------------------

(define (check-procedure who object)
  (if (not (procedure? object))
      (error (string-append (symbol->string who) ": not a procedure") object)))

(define (too-short who list k)
  (error (string-append (symbol->string who) ": the list is too short")
         list k))

(define (check-count who k)
  (if (not (and (exact-integer? k) (>= k 0)))
      (error (string-append (symbol->string who)
                            ": not an exact nonnegative integer")
             k)))

;; The elements in `reversed`, last one first, in front of `tail`.
(define (append-reverse reversed tail)
  (if (pair? reversed)
      (append-reverse (cdr reversed) (cons (car reversed) tail))
      (if (null? reversed)
          tail
          (error "append-reverse: not a list" reversed))))

;; The cars of all lists, or #f where one has ended; and the cdrs.
(define (cars lists)
  (let loop ((rest lists) (out '()))
    (cond ((null? rest) (reverse out))
          ((pair? (car rest)) (loop (cdr rest) (cons (caar rest) out)))
          (else #f))))

(define (cdrs lists) (map cdr lists))

;; -- constructors -----------------------------------------------------------

;;> (xcons d a)
;;> Return the pair of A and D, in that order. (xcons '(b c) 'a) => (a b c)
(define (xcons d a) (cons a d))

;;> (cons* element ... tail)
;;> Return a list of the elements that ends in TAIL.
;;> (cons* 1 2 '(3 4)) => (1 2 3 4)
(define (cons* first . rest)
  (let loop ((first first) (rest rest) (out '()))
    (if (pair? rest)
        (loop (car rest) (cdr rest) (cons first out))
        (append-reverse out first))))

;;> (list-tabulate n f)
;;> Return the list of (f 0) ... (f (- n 1)). (list-tabulate 3 -) => (0 -1 -2)
(define (list-tabulate n f)
  (check-count 'list-tabulate n)
  (check-procedure 'list-tabulate f)
  (let loop ((i (- n 1)) (out '()))
    (if (< i 0)
        out
        (loop (- i 1) (cons (f i) out)))))

;;> (circular-list element element ...)
;;> Return a circular list of the elements.
(define (circular-list first . rest)
  (let ((new (cons first (list-copy rest))))
    (set-cdr! (last-pair new) new)
    new))

;;> (iota count [start [step]])
;;> Return COUNT numbers from START (0) by STEP (1). (iota 3 1) => (1 2 3)
(define (iota count . rest)
  (check-count 'iota count)
  (let* ((start (if (pair? rest) (car rest) 0))
         (step (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) 1)))
    (if (not (and (number? start) (number? step)))
        (error "iota: not a number" start step))
    (let loop ((i (- count 1)) (out '()))
      (if (< i 0)
          out
          (loop (- i 1) (cons (+ start (* i step)) out))))))

;; -- predicates -------------------------------------------------------------

;; Calls (f end) with what ends the list, or (circular) for a circular one.
(define (list-end list end circular)
  (let loop ((slow list) (fast list))
    (if (pair? fast)
        (let ((fast (cdr fast)))
          (if (pair? fast)
              (let ((fast (cdr fast))
                    (slow (cdr slow)))
                (if (eq? fast slow)
                    (circular)
                    (loop slow fast)))
              (end fast)))
        (end fast))))

;;> (proper-list? object)
;;> Return #t for a finite list that ends in the empty list.
(define (proper-list? object)
  (list-end object null? (lambda () #f)))

;;> (circular-list? object)
;;> Return #t for a list without an end.
(define (circular-list? object)
  (list-end object (lambda (end) #f) (lambda () #t)))

;;> (dotted-list? object)
;;> Return #t for a finite list that ends in something else than the empty list.
;;> (dotted-list? '(1 . 2)) => #t
(define (dotted-list? object)
  (list-end object (lambda (end) (not (null? end))) (lambda () #f)))

;;> (not-pair? object)
;;> Return #t if OBJECT is no pair.
(define (not-pair? object) (not (pair? object)))

;;> (null-list? list)
;;> Return #t for the empty list, #f for a pair; anything else is an error.
(define (null-list? list)
  (cond ((pair? list) #f)
        ((null? list) #t)
        (else (error "null-list?: not a list" list))))

(define (list=2 same? a b)
  (cond ((pair? a)
         (and (pair? b)
              (same? (car a) (car b))
              (list=2 same? (cdr a) (cdr b))))
        (else (null? b))))

;;> (list= same? list ...)
;;> Are the lists of one length, with elements that are SAME? in pairs?
;;> (list= eq? '(a b) '(a b)) => #t
(define (list= same? . lists)
  (let loop ((lists lists))
    (or (null? lists)
        (null? (cdr lists))
        (and (or (eq? (car lists) (cadr lists))
                 (list=2 same? (car lists) (cadr lists)))
             (loop (cdr lists))))))

;; -- selectors --------------------------------------------------------------

(define (nth who list k)
  (let loop ((rest list) (i k))
    (cond ((not (pair? rest)) (too-short who list (+ k 1)))
          ((= i 0) (car rest))
          (else (loop (cdr rest) (- i 1))))))

;;> (first list) ... (tenth list)
;;> Return the element at that place. (third '(a b c)) => c
(define (first list) (nth 'first list 0))
(define (second list) (nth 'second list 1))
(define (third list) (nth 'third list 2))
(define (fourth list) (nth 'fourth list 3))
(define (fifth list) (nth 'fifth list 4))
(define (sixth list) (nth 'sixth list 5))
(define (seventh list) (nth 'seventh list 6))
(define (eighth list) (nth 'eighth list 7))
(define (ninth list) (nth 'ninth list 8))
(define (tenth list) (nth 'tenth list 9))

;;> (car+cdr pair)
;;> Return the two fields of PAIR as two values.
(define (car+cdr pair) (values (car pair) (cdr pair)))

;;> (take list k)
;;> Return a new list of the first K elements. (take '(a b c) 2) => (a b)
(define (take list k)
  (check-count 'take k)
  (let loop ((rest list) (i k) (out '()))
    (cond ((= i 0) (reverse out))
          ((pair? rest) (loop (cdr rest) (- i 1) (cons (car rest) out)))
          (else (too-short 'take list k)))))

;;> (drop list k)
;;> Return LIST without its first K elements. (drop '(a b c) 2) => (c)
(define (drop list k)
  (check-count 'drop k)
  (let loop ((rest list) (i k))
    (cond ((= i 0) rest)
          ((pair? rest) (loop (cdr rest) (- i 1)))
          (else (too-short 'drop list k)))))

;;> (take-right list k)
;;> Return the last K elements, a tail of LIST. (take-right '(a b c) 2) => (b c)
(define (take-right list k)
  (let loop ((lag list) (lead (drop list k)))
    (if (pair? lead)
        (loop (cdr lag) (cdr lead))
        lag)))

;;> (drop-right list k)
;;> Return a new list of all but the last K elements.
;;> (drop-right '(a b c) 2) => (a)
(define (drop-right list k)
  (let loop ((lag list) (lead (drop list k)) (out '()))
    (if (pair? lead)
        (loop (cdr lag) (cdr lead) (cons (car lag) out))
        (reverse out))))

(define take! take)
(define drop-right! drop-right)

;;> (split-at list k)
;;> Return (take list k) and (drop list k) as two values.
(define (split-at list k)
  (check-count 'split-at k)
  (let loop ((rest list) (i k) (out '()))
    (cond ((= i 0) (values (reverse out) rest))
          ((pair? rest) (loop (cdr rest) (- i 1) (cons (car rest) out)))
          (else (too-short 'split-at list k)))))

(define split-at! split-at)

;;> (last-pair pair)
;;> Return the last pair of the list that PAIR heads.
(define (last-pair pair)
  (let loop ((pair pair))
    (let ((next (cdr pair)))
      (if (pair? next) (loop next) pair))))

;;> (last pair)
;;> Return the last element of a non-empty list. (last '(a b c)) => c
(define (last pair)
  (if (not (pair? pair)) (too-short 'last pair 1))
  (car (last-pair pair)))

;; -- miscellaneous ----------------------------------------------------------

;;> (length+ list)
;;> Return the length of LIST, #f for a circular one.
(define (length+ list)
  (if (circular-list? list)
      #f
      (let loop ((rest list) (n 0))
        (if (pair? rest) (loop (cdr rest) (+ n 1)) n))))

;;> (concatenate lists)
;;> Append a list of lists. (concatenate '((1) (2 3))) => (1 2 3)
(define (concatenate lists) (apply append lists))

(define append! append)
(define concatenate! concatenate)
(define reverse! reverse)
(define append-reverse! append-reverse)

;;> (zip list list ...)
;;> Return the list of lists of corresponding elements.
;;> (zip '(1 2) '(a b)) => ((1 a) (2 b))
(define (zip first . more) (apply map list first more))

;;> (unzip1 lists) ... (unzip5 lists)
;;> Return the lists of the first, second ... elements as that many values.
(define (unzip1 lists) (map first lists))
(define (unzip2 lists) (values (map first lists) (map second lists)))
(define (unzip3 lists)
  (values (map first lists) (map second lists) (map third lists)))
(define (unzip4 lists)
  (values (map first lists) (map second lists) (map third lists)
          (map fourth lists)))
(define (unzip5 lists)
  (values (map first lists) (map second lists) (map third lists)
          (map fourth lists) (map fifth lists)))

;;> (count satisfied? list list ...)
;;> Count the (tuples of) elements for which SATISFIED? is true.
;;> (count even? '(1 2 4)) => 2
(define (count satisfied? list . more)
  (check-procedure 'count satisfied?)
  (if (null? more)
      (let loop ((rest list) (n 0))
        (if (pair? rest)
            (loop (cdr rest) (if (satisfied? (car rest)) (+ n 1) n))
            n))
      (let loop ((lists (cons list more)) (n 0))
        (let ((elements (cars lists)))
          (if elements
              (loop (cdrs lists)
                    (if (apply satisfied? elements) (+ n 1) n))
              n)))))

;; -- fold, unfold, map ------------------------------------------------------

;;> (fold kons knil list list ...)
;;> Combine from the left: (kons element accumulated).
;;> (fold cons '() '(1 2 3)) => (3 2 1)
(define (fold kons knil list . more)
  (check-procedure 'fold kons)
  (if (null? more)
      (let loop ((rest list) (out knil))
        (cond ((pair? rest) (loop (cdr rest) (kons (car rest) out)))
              ((null? rest) out)
              (else (error "fold: not a list" list))))
      (let loop ((lists (cons list more)) (out knil))
        (let ((elements (cars lists)))
          (if elements
              (loop (cdrs lists) (apply kons (append elements (cons out '()))))
              out)))))

;; The tuples of corresponding elements, last one first.
(define (reversed-tuples lists)
  (let loop ((lists lists) (out '()))
    (let ((elements (cars lists)))
      (if elements (loop (cdrs lists) (cons elements out)) out))))

;;> (fold-right kons knil list list ...)
;;> Combine from the right: (kons element accumulated).
;;> (fold-right cons '() '(1 2 3)) => (1 2 3)
(define (fold-right kons knil list . more)
  (check-procedure 'fold-right kons)
  (if (null? more)
      (let loop ((rest (reverse list)) (out knil))
        (if (pair? rest)
            (loop (cdr rest) (kons (car rest) out))
            out))
      (let loop ((tuples (reversed-tuples (cons list more))) (out knil))
        (if (pair? tuples)
            (loop (cdr tuples)
                  (apply kons (append (car tuples) (cons out '()))))
            out))))

;;> (pair-fold kons knil list list ...)
;;> Like fold over the pairs of the lists; KONS may change a pair's cdr.
(define (pair-fold kons knil list . more)
  (check-procedure 'pair-fold kons)
  (if (null? more)
      (let loop ((rest list) (out knil))
        (if (pair? rest)
            (let ((next (cdr rest)))
              (loop next (kons rest out)))
            out))
      (let loop ((lists (cons list more)) (out knil))
        (if (every pair? lists)
            (let ((next (cdrs lists)))
              (loop next (apply kons (append lists (cons out '())))))
            out))))

;;> (pair-fold-right kons knil list list ...)
;;> Like fold-right over the pairs of the lists.
(define (pair-fold-right kons knil list . more)
  (check-procedure 'pair-fold-right kons)
  (let loop ((tuples
              (let collect ((lists (cons list more)) (out '()))
                (if (every pair? lists)
                    (collect (cdrs lists) (cons lists out))
                    out)))
             (out knil))
    (if (pair? tuples)
        (loop (cdr tuples) (apply kons (append (car tuples) (cons out '()))))
        out)))

;;> (reduce f identity list)
;;> Combine the elements from the left: (f element accumulated); IDENTITY for
;;> the empty list. (reduce + 0 '(1 2 3)) => 6
(define (reduce f identity list)
  (check-procedure 'reduce f)
  (if (null-list? list)
      identity
      (fold f (car list) (cdr list))))

;;> (reduce-right f identity list)
;;> Combine the elements from the right. (reduce-right - 0 '(1 2 3)) => 2
(define (reduce-right f identity list)
  (check-procedure 'reduce-right f)
  (if (null-list? list)
      identity
      (let ((reversed (reverse list)))
        (fold f (car reversed) (cdr reversed)))))

;;> (unfold stop? mapper successor seed [tail-generator])
;;> Build a list from the left.
;;> (unfold (lambda (x) (> x 3)) - (lambda (x) (+ x 1)) 1) => (-1 -2 -3)
(define (unfold stop? mapper successor seed . rest)
  (check-procedure 'unfold stop?)
  (check-procedure 'unfold mapper)
  (check-procedure 'unfold successor)
  (let loop ((seed seed) (out '()))
    (if (stop? seed)
        (append-reverse out (if (pair? rest) ((car rest) seed) '()))
        (let ((element (mapper seed)))
          (loop (successor seed) (cons element out))))))

;;> (unfold-right stop? mapper successor seed [tail])
;;> Build a list from the right.
;;> (unfold-right zero? - (lambda (x) (- x 1)) 3) => (-1 -2 -3)
(define (unfold-right stop? mapper successor seed . rest)
  (check-procedure 'unfold-right stop?)
  (check-procedure 'unfold-right mapper)
  (check-procedure 'unfold-right successor)
  (let loop ((seed seed) (out (if (pair? rest) (car rest) '())))
    (if (stop? seed)
        out
        (let ((element (mapper seed)))
          (loop (successor seed) (cons element out))))))

;;> (append-map f list list ...)
;;> Append the lists that F answers. (append-map list '(1 2)) => (1 2)
(define (append-map f list . more)
  (concatenate (apply map f list more)))

(define append-map! append-map)
(define map! map)
(define map-in-order map)

;;> (pair-for-each f list list ...)
;;> Call F with the successive pairs of the lists; it may change their cdrs.
(define (pair-for-each f list . more)
  (check-procedure 'pair-for-each f)
  (let loop ((lists (cons list more)))
    (if (every pair? lists)
        (let ((next (cdrs lists)))
          (apply f lists)
          (loop next)))))

;;> (filter-map f list list ...)
;;> Map, and keep the true results.
;;> (filter-map (lambda (x) (and (> x 1) x)) '(1 2)) => (2)
(define (filter-map f list . more)
  (check-procedure 'filter-map f)
  (let loop ((lists (cons list more)) (out '()))
    (let ((elements (cars lists)))
      (if elements
          (let ((result (apply f elements)))
            (loop (cdrs lists) (if result (cons result out) out)))
          (reverse out)))))

;; -- filtering and searching ------------------------------------------------

;;> (filter satisfied? list)
;;> Return the elements for which SATISFIED? is true, in order.
;;> (filter even? '(1 2 3 4)) => (2 4)
(define (filter satisfied? list)
  (check-procedure 'filter satisfied?)
  (let loop ((rest list) (out '()))
    (cond ((pair? rest)
           (loop (cdr rest)
                 (if (satisfied? (car rest)) (cons (car rest) out) out)))
          ((null? rest) (reverse out))
          (else (error "filter: not a list" list)))))

;;> (remove satisfied? list)
;;> Return the elements for which SATISFIED? is false, in order.
;;> (remove even? '(1 2 3 4)) => (1 3)
(define (remove satisfied? list)
  (check-procedure 'remove satisfied?)
  (filter (lambda (x) (not (satisfied? x))) list))

;;> (partition satisfied? list)
;;> Return what filter and what remove would, as two values.
(define (partition satisfied? list)
  (check-procedure 'partition satisfied?)
  (let loop ((rest list) (in '()) (out '()))
    (cond ((null-list? rest) (values (reverse in) (reverse out)))
          ((satisfied? (car rest))
           (loop (cdr rest) (cons (car rest) in) out))
          (else (loop (cdr rest) in (cons (car rest) out))))))

(define filter! filter)
(define remove! remove)
(define partition! partition)

;;> (find-tail satisfied? list)
;;> Return the first tail whose car satisfies, or #f.
(define (find-tail satisfied? list)
  (check-procedure 'find-tail satisfied?)
  (let loop ((rest list))
    (cond ((null-list? rest) #f)
          ((satisfied? (car rest)) rest)
          (else (loop (cdr rest))))))

;;> (find satisfied? list)
;;> Return the first element that satisfies, or #f. (find even? '(1 2 3)) => 2
(define (find satisfied? list)
  (let ((tail (find-tail satisfied? list)))
    (and tail (car tail))))

;;> (any satisfied? list list ...)
;;> Return the first true answer of SATISFIED?, or #f. The last call is a tail
;;> call. (any even? '(1 2 3)) => #t
(define (any satisfied? list . more)
  (check-procedure 'any satisfied?)
  (if (null? more)
      (if (null-list? list)
          #f
          (let loop ((element (car list)) (rest (cdr list)))
            (if (pair? rest)
                (or (satisfied? element) (loop (car rest) (cdr rest)))
                (satisfied? element))))
      (let loop ((elements (cars (cons list more)))
                 (lists (cons list more)))
        (and elements
             (let* ((rest (cdrs lists))
                    (next (cars rest)))
               (if next
                   (or (apply satisfied? elements) (loop next rest))
                   (apply satisfied? elements)))))))

;;> (every satisfied? list list ...)
;;> Return #f at the first false answer, else the last answer; #t for the empty
;;> list. (every even? '(2 4)) => #t
(define (every satisfied? list . more)
  (check-procedure 'every satisfied?)
  (if (null? more)
      (if (null-list? list)
          #t
          (let loop ((element (car list)) (rest (cdr list)))
            (if (pair? rest)
                (and (satisfied? element) (loop (car rest) (cdr rest)))
                (satisfied? element))))
      (let loop ((elements (cars (cons list more)))
                 (lists (cons list more)))
        (or (not elements)
            (let* ((rest (cdrs lists))
                   (next (cars rest)))
              (if next
                  (and (apply satisfied? elements) (loop next rest))
                  (apply satisfied? elements)))))))

;;> (list-index satisfied? list list ...)
;;> Return the index of the first (tuple of) elements that satisfies, or #f.
;;> (list-index even? '(1 3 4)) => 2
(define (list-index satisfied? list . more)
  (check-procedure 'list-index satisfied?)
  (if (null? more)
      (let loop ((rest list) (i 0))
        (cond ((null-list? rest) #f)
              ((satisfied? (car rest)) i)
              (else (loop (cdr rest) (+ i 1)))))
      (let loop ((lists (cons list more)) (i 0))
        (let ((elements (cars lists)))
          (cond ((not elements) #f)
                ((apply satisfied? elements) i)
                (else (loop (cdrs lists) (+ i 1))))))))

;;> (span satisfied? list)
;;> Return the longest prefix whose elements satisfy, and the rest.
(define (span satisfied? list)
  (check-procedure 'span satisfied?)
  (let loop ((rest list) (out '()))
    (if (and (not (null-list? rest)) (satisfied? (car rest)))
        (loop (cdr rest) (cons (car rest) out))
        (values (reverse out) rest))))

;;> (break satisfied? list)
;;> Return the longest prefix whose elements do not satisfy, and the rest.
(define (break satisfied? list)
  (check-procedure 'break satisfied?)
  (span (lambda (x) (not (satisfied? x))) list))

;;> (take-while satisfied? list)
;;> Return the longest prefix whose elements satisfy.
;;> (take-while even? '(2 4 5 6)) => (2 4)
(define (take-while satisfied? list)
  (call-with-values (lambda () (span satisfied? list))
    (lambda (prefix rest) prefix)))

;;> (drop-while satisfied? list)
;;> Return LIST without its longest prefix whose elements satisfy.
;;> (drop-while even? '(2 4 5 6)) => (5 6)
(define (drop-while satisfied? list)
  (check-procedure 'drop-while satisfied?)
  (let loop ((rest list))
    (if (and (not (null-list? rest)) (satisfied? (car rest)))
        (loop (cdr rest))
        rest)))

(define take-while! take-while)
(define span! span)
(define break! break)

;; -- deletion ---------------------------------------------------------------

(define (equality rest) (if (pair? rest) (car rest) equal?))

;;> (delete x list [same?])
;;> Return LIST without the elements y for which (same? x y).
;;> (delete 2 '(1 2 3)) => (1 3)
(define (delete x list . rest)
  (let ((same? (equality rest)))
    (remove (lambda (y) (same? x y)) list)))

;;> (delete-duplicates list [same?])
;;> Keep the first of elements that are the same.
;;> (delete-duplicates '(a b a)) => (a b)
(define (delete-duplicates list . rest)
  (let ((same? (equality rest)))
    (check-procedure 'delete-duplicates same?)
    (let loop ((rest list) (out '()))
      (cond ((null-list? rest) (reverse out))
            ((any (lambda (earlier) (same? earlier (car rest))) out)
             (loop (cdr rest) out))
            (else (loop (cdr rest) (cons (car rest) out)))))))

(define delete! delete)
(define delete-duplicates! delete-duplicates)

;; -- association lists ------------------------------------------------------

;;> (alist-cons key datum alist)
;;> Return ALIST with a new entry in front. (alist-cons 'a 1 '()) => ((a . 1))
(define (alist-cons key datum alist) (cons (cons key datum) alist))

;;> (alist-copy alist)
;;> Return a copy of ALIST with new entries.
(define (alist-copy alist)
  (map (lambda (entry) (cons (car entry) (cdr entry))) alist))

;;> (alist-delete key alist [same?])
;;> Return ALIST without the entries whose key is the same: (same? key k).
(define (alist-delete key alist . rest)
  (let ((same? (equality rest)))
    (remove (lambda (entry) (same? key (car entry))) alist)))

(define alist-delete! alist-delete)

;; -- lists as sets ----------------------------------------------------------

;; Is X, by (same? x y), in LIST?
(define (in? same? x list)
  (any (lambda (y) (same? x y)) list))

;; Is Y, by (same? x y), in LIST?
(define (in-from? same? list y)
  (any (lambda (x) (same? x y)) list))

(define (subset? same? a b)
  (every (lambda (x) (in? same? x b)) a))

;;> (lset<= same? list ...)
;;> Is each list a subset of the next? (lset<= eq? '(a) '(b a)) => #t
(define (lset<= same? . lists)
  (check-procedure 'lset<= same?)
  (let loop ((lists lists))
    (or (null? lists)
        (null? (cdr lists))
        (and (subset? same? (car lists) (cadr lists))
             (loop (cdr lists))))))

;;> (lset= same? list ...)
;;> Are the lists equal as sets? (lset= eq? '(a b) '(b a)) => #t
(define (lset= same? . lists)
  (check-procedure 'lset= same?)
  (let loop ((lists lists))
    (or (null? lists)
        (null? (cdr lists))
        (and (subset? same? (car lists) (cadr lists))
             (subset? (lambda (x y) (same? y x)) (cadr lists) (car lists))
             (loop (cdr lists))))))

;;> (lset-adjoin same? list element ...)
;;> Add the elements that LIST lacks. (lset-adjoin eq? '(a) 'b 'a) => (b a)
(define (lset-adjoin same? list . elements)
  (check-procedure 'lset-adjoin same?)
  (fold (lambda (element out)
          (if (in-from? same? out element) out (cons element out)))
        list elements))

;;> (lset-union same? list ...)
;;> Return the union. (lset-union eq? '(a b) '(b c)) => (c a b)
(define (lset-union same? . lists)
  (check-procedure 'lset-union same?)
  (reduce (lambda (list out)
            (cond ((null? list) out)
                  ((null? out) list)
                  ((eq? list out) out)
                  (else
                   (fold (lambda (element out)
                           (if (in-from? same? out element)
                               out
                               (cons element out)))
                         out list))))
          '() lists))

;;> (lset-intersection same? list list ...)
;;> Return the elements of the first list that all others have.
(define (lset-intersection same? list . more)
  (check-procedure 'lset-intersection same?)
  (filter (lambda (x) (every (lambda (other) (in? same? x other)) more))
          list))

;;> (lset-difference same? list list ...)
;;> Return the elements of the first list that no other has.
(define (lset-difference same? list . more)
  (check-procedure 'lset-difference same?)
  (filter (lambda (x) (not (any (lambda (other) (in? same? x other)) more)))
          list))

;;> (lset-xor same? list ...)
;;> Return the elements that are in an odd number of the lists (for two lists:
;;> in exactly one).
(define (lset-xor same? . lists)
  (check-procedure 'lset-xor same?)
  (reduce (lambda (b a)
            (append-reverse
             (filter (lambda (x) (not (in-from? same? a x))) b)
             (filter (lambda (x) (not (in? same? x b))) a)))
          '() lists))

;;> (lset-diff+intersection same? list list ...)
;;> Return the difference, and the elements that some other list has.
(define (lset-diff+intersection same? list . more)
  (check-procedure 'lset-diff+intersection same?)
  (partition (lambda (x)
               (not (any (lambda (other) (in? same? x other)) more)))
             list))

(define lset-union! lset-union)
(define lset-intersection! lset-intersection)
(define lset-difference! lset-difference)
(define lset-xor! lset-xor)
(define lset-diff+intersection! lset-diff+intersection)
