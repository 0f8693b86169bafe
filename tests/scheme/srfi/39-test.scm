;;; SRFI 39.
(import (scheme base) (srfi 39)
        (chibi-bridge test))

(test-begin "srfi 39")

(define radix
  (make-parameter 10 (lambda (x)
                       (if (and (exact-integer? x) (<= 2 x 16))
                           x
                           (error "not a radix" x)))))
(define (text n) (number->string n (radix)))

(test "10" (text 10))
(test "1010" (parameterize ((radix 2)) (text 10)))
(test "10" (text 10))
(test-error (parameterize ((radix 0)) (text 10)))
(test 8 (parameterize ((radix 8)) (parameterize ((radix (radix))) (radix))))
(test-error (make-parameter 1 car))

(test-end)
(test-exit)
