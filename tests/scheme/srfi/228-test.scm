;;; SRFI 228.
(import (scheme base) (srfi 128) (srfi 228) (chibi-bridge test))

(define d (make-default-comparator))
(define by-car (make-wrapper-comparator pair? car d))
(define by-cdr (make-wrapper-comparator pair? cdr d))
(define both (make-product-comparator by-car by-cdr))
(define numbers (make-comparator number? = < number-hash))
(define strings (make-comparator string? string=? string<? string-hash))
(define either (make-sum-comparator strings numbers))

(test-begin "srfi 228")

(test '(#t #f #t #t #f) (list (=? by-car '(1 . 2) '(1 . 3)) (=? by-car '(1) '(2)) (<? by-car '(1) '(2))
                              (= (comparator-hash by-car '(1 . 2)) (comparator-hash by-car '(1 . 3))) (comparator-test-type by-car 1)))
(test '(#f #t #t #t #f #t) (list (=? both '(1 . 2) '(1 . 3)) (=? both '(1 . 2) '(1 . 2)) (<? both '(1 . 9) '(2 . 0))
                                 (<? both '(1 . 2) '(1 . 3)) (<? both '(1 . 3) '(1 . 3))
                                 (= (comparator-hash both '(1 . 2)) (comparator-hash both '(1 . 2)))))
(test '(#t #t #f #t #f #t #f) (list (<? either "z" 1) (<? either 1 2) (<? either 1 "z") (=? either 1 1) (=? either 1 "1")
                                 (comparator-test-type either "a") (comparator-test-type either 'a)))
(test (comparator-hash numbers 7) (comparator-hash either 7))
(test '(#t #f #t #f) (list (=? comparator-one 1 'a) (<? comparator-one 1 2) (comparator-test-type comparator-one 'x)
                           (comparator-test-type comparator-zero 'x)))
(test #f (comparator-ordered? (make-product-comparator (make-eq-comparator) numbers)))

(test-end)
(test-exit)
