;;; SRFI 232.
(import (scheme base) (srfi 232) (chibi-bridge test))

(define-curried (f a b c) (list a b c))
(define-curried (g a b . rest) (list a b rest))
(define-curried (h) 7)
(define-curried (all . args) args)
(define-curried (nested a) (curried (b) (+ a b)))

(test-begin "srfi 232")

(test '((1 2 3) (1 2 3) (1 2 3) (1 2 3)) (list (f 1 2 3) ((f 1) 2 3) (((f 1) 2) 3) ((((f) 1) 2) 3)))
(test '((1 2 ()) (1 2 (3 4)) (1 2 (3))) (list (g 1 2) (g 1 2 3 4) ((g 1) 2 3)))
(test '(7 (1 2) ()) (list h (all 1 2) (all)))
(test '(3 3) (list (nested 1 2) ((nested 1) 2)))
(test '((1 2 3) 5) (list ((f 1 2) 3) ((curried (x y) (+ x y)) 2 3)))
(test-error (f 1 2 3 4))

(test-end)
(test-exit)
