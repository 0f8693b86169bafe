;;; (chibi iset base), the body. A node holds the integers from START to END, all of
;;; them where BITS is #f, else those whose bit, counted from START, is set. What is
;;; less stands to the left, what is greater to the right.

;;> Integer-Set
;;> The record type of sets.

;;> (%make-iset start end bits left right)
;;> Return a node. (iset-contains? (%make-iset 1 3 5 #f #f) 2) => #f

;;> (iset? object)
;;> Is OBJECT a set of integers? (iset? (make-iset)) => #t

;;> (iset-start iset), (iset-end iset), (iset-bits iset), (iset-left iset),
;;> (iset-right iset), and (iset-start-set! iset n) ...
;;> The parts of a node. (iset-end (make-iset 2 9)) => 9
(define-record-type Integer-Set
  (%make-iset start end bits left right)
  iset?
  (start iset-start iset-start-set!)
  (end iset-end iset-end-set!)
  (bits iset-bits iset-bits-set!)
  (left iset-left iset-left-set!)
  (right iset-right iset-right-set!))

(define (check-integer n)
  (if (not (exact-integer? n))
      (error "not an exact integer" n)))

;;> (make-iset), (make-iset n), (make-iset from to)
;;> Return a new set: empty, of N, or of all integers from FROM to TO.
;;> (iset-contains? (make-iset 1 9) 5) => #t
(define (make-iset . bounds)
  (for-each check-integer bounds)
  (cond ((null? bounds) (%make-iset 0 0 0 #f #f))
        ((null? (cdr bounds)) (%make-iset (car bounds) (car bounds) #f #f #f))
        ((<= (car bounds) (cadr bounds))
         (%make-iset (car bounds) (cadr bounds) #f #f #f))
        (else (error "make-iset: the end is before the start" bounds))))

;;> (iset-contains? iset n)
;;> Is N in ISET? (iset-contains? (make-iset 3) 4) => #f
(define (iset-contains? iset n)
  (cond ((not iset) #f)
        ((< n (iset-start iset)) (iset-contains? (iset-left iset) n))
        ((> n (iset-end iset)) (iset-contains? (iset-right iset) n))
        (else
         (or (not (iset-bits iset))
             (bit-set? (- n (iset-start iset)) (iset-bits iset))))))
