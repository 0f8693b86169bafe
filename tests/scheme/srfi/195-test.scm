;;; SRFI 195.
(import (scheme base) (srfi 195) (chibi-bridge test))

(define-syntax all (syntax-rules () ((_ e) (call-with-values (lambda () e) list))))

(test-begin "srfi 195")

(define b (box 1 2))
(test '(#t #f 2 0 (1 2) ()) (list (box? b) (box? 1) (box-arity b) (box-arity (box)) (all (unbox b)) (all (unbox (box)))))
(set-box! b 'x 'y)
(test '(x y) (all (unbox b)))
(set-box-value! b 1 'z)
(test '(x z) (list (unbox-value b 0) (unbox-value b 1)))
(test 5 (unbox (box 5)))
(test-error (set-box! b 1))
(test-error (unbox-value b 2))
(test-error (unbox 1))

(test-end)
(test-exit)
