;;; (srfi 227 definition).
(import (scheme base) (srfi 227 definition) (chibi-bridge test))

(define a 10)
(define-optionals (f x (y a)) (list x y))
(define-optionals* (g (a 1) (b a) . c) (list a b c))

(test-begin "srfi 227 definition")

(test '((1 10) (1 2)) (list (f 1) (f 1 2)))
(test '((1 1 ()) (5 5 ()) (5 6 (7))) (list (g) (g 5) (g 5 6 7)))
(test-error (f))
(test-error (f 1 2 3))

(test-end)
(test-exit)
