;;; (chibi generic).
(import (scheme base) (scheme inexact) (chibi generic) (chibi-bridge test))

(test-begin "generic")

(define-generic add)
(define-method (add (x number?) (y number?)) (+ x y))
(define-method (add (x string?) (y string?)) (string-append x y))
(define-method (add x (y list?)) (append x y))
(test '(4 "22" (2 2) (2 2))
      (list (add 2 2) (add "2" "2") (add '() '(2 2)) (add '(2) '(2))))
(test-error (add #(2) #(2)))
(test-error (add 1))

(define-generic mul)
(define-method (mul (x number?) (y number?)) (* x y))
(define-method (mul (x inexact?) (y inexact?)) (+ (* x y) 0.5))
(define-method (mul (x exact?) (y exact?)) (list (call-next-method)))
(test '((21) 21.0 21.0 21.5)
      (list (mul 3 7) (mul 3.0 7) (mul 3 7.0) (mul 3.0 7.0)))
(test-error (call-next-method))

(define-generic all)
(define-method (all (x number?) . rest) (cons 'number rest))
(define-method (all (x string?)) 'string)
(test '((number) (number a b) string) (list (all 1) (all 1 'a 'b) (all "")))
(test-error (all "" 1))

(define by-hand (make-generic 'by-hand))
(generic-add! by-hand (list number?) (lambda (next n) (+ n 1)))
(test 2 (by-hand 1))

(test-end)
(test-exit)
