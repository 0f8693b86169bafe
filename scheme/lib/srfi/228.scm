;;; SRFI 228, the body.

(define (all? test list)
  (or (null? list) (and (test (car list)) (all? test (cdr list)))))
(define (some? test list)
  (and (pair? list) (or (test (car list)) (some? test (cdr list)))))

;;> (make-wrapper-comparator type-test unwrap comparator)
;;> Return the comparator of objects that TYPE-TEST accepts, by what UNWRAP makes of them.
;;> (<? (make-wrapper-comparator pair? car (make-default-comparator)) '(1) '(2)) => #t
(define (make-wrapper-comparator type-test unwrap comparator)
  (make-comparator
   type-test
   (lambda (a b) (=? comparator (unwrap a) (unwrap b)))
   (and (comparator-ordered? comparator)
        (lambda (a b) (<? comparator (unwrap a) (unwrap b))))
   (and (comparator-hashable? comparator)
        (lambda (a) (comparator-hash comparator (unwrap a))))))

;;> (make-product-comparator comparator ...)
;;> Return the comparator for which objects are equal where they are for all, and ordered by
;;> the first for which they differ.
(define (make-product-comparator . comparators)
  (make-comparator
   (lambda (a) (all? (lambda (c) (comparator-test-type c a)) comparators))
   (lambda (a b) (all? (lambda (c) (=? c a b)) comparators))
   (and (all? comparator-ordered? comparators)
        (lambda (a b)
          (let loop ((rest comparators))
            (and (pair? rest)
                 (or (<? (car rest) a b)
                     (and (=? (car rest) a b) (loop (cdr rest))))))))
   (and (all? comparator-hashable? comparators)
        (lambda (a)
          (let loop ((rest comparators) (hash 0))
            (if (null? rest)
                hash
                (loop (cdr rest)
                      (modulo (+ (* 31 hash) (comparator-hash (car rest) a))
                              33554393))))))))

;;> (make-sum-comparator comparator ...)
;;> Return the comparator of what one of these compares: of two objects of the same one as
;;> that one does, else that of the earlier one is less.
;;> (<? (make-sum-comparator (make-wrapper-comparator symbol? symbol->string
;;>                                                   (make-default-comparator))
;;>                          (make-default-comparator)) 'a 1) => #t
(define (make-sum-comparator . comparators)
  (define (place a)
    (let loop ((i 0) (rest comparators))
      (cond ((null? rest) (error "not an object that the comparator compares" a))
            ((comparator-test-type (car rest) a) i)
            (else (loop (+ i 1) (cdr rest))))))
  (define (at i) (list-ref comparators i))
  (make-comparator
   (lambda (a) (some? (lambda (c) (comparator-test-type c a)) comparators))
   (lambda (a b)
     (let ((i (place a)))
       (and (= i (place b)) (=? (at i) a b))))
   (and (all? comparator-ordered? comparators)
        (lambda (a b)
          (let ((i (place a)) (j (place b)))
            (or (< i j) (and (= i j) (<? (at i) a b))))))
   (and (all? comparator-hashable? comparators)
        (lambda (a) (comparator-hash (at (place a)) a)))))

;;> comparator-one, comparator-zero
;;> The comparator for which all objects are equal, and that of no objects.
;;> (=? comparator-one 1 'a) => #t
(define comparator-one (make-product-comparator))
(define comparator-zero (make-sum-comparator))
