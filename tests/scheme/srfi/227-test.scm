;;; SRFI 227.
(import (scheme base) (srfi 227) (chibi-bridge test))

(test-begin "srfi 227")

(define a 10)
(test '(1 2 11) ((opt-lambda (x (b 2) (c (+ a 1))) (list x b c)) 1))
(test '(1 5 6) ((opt*-lambda (x (b 2) (c (+ b 1))) (list x b c)) 1 5))
(test '(1 2 (3 4)) ((opt-lambda ((x 0) (y 0) . z) (list x y z)) 1 2 3 4))
(test '(1) ((opt*-lambda all all) 1))
(test-error ((opt-lambda (x (y 1)) x)))
(test-error ((opt-lambda (x (y 1)) x) 1 2 3))
(test-error ((opt*-lambda (x (y 1)) x) 1 2 3))
(test 3 ((opt-lambda ((x 1)) (define y 2) (+ x y))))
(test '(1 2) (let-optionals '(1) (x (y 2)) (list x y)))
(test '(1 2 (3)) (let-optionals* '(1) (x (y (+ x 1)) . z) (list x y '(3))))
(test-error (let-optionals '(1 2) ((x 0)) x))

(test-end)
(test-exit)
