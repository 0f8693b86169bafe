;;; SRFI 149.
(import (except (scheme base) syntax-rules define-syntax let-syntax letrec-syntax ... _) (srfi 149) (chibi-bridge test))

(define-syntax spread (syntax-rules () ((_ (a b ...) ...) '((a b) ... ...))))
(define-syntax pairs (syntax-rules () ((_ a b ...) '((a b) ...))))
(define-syntax same (syntax-rules () ((_ (a b ...) ...) '((a b ...) ...))))

(test-begin "srfi 149")

(test '((1 2) (1 3) (4 5)) (spread (1 2 3) (4 5)))
(test '((1 2) (1 3)) (pairs 1 2 3))
(test '((1 2 3) (4 5)) (same (1 2 3) (4 5)))
(test 3 (let-syntax ((f (syntax-rules () ((_ x _) x)))) (f 3 4)))
(test 4 (letrec-syntax ((f (syntax-rules () ((_ _ x) x)))) (f 3 4)))

(test-end)
(test-exit)
