;;; SRFI 147.
(import (except (scheme base) define-syntax let-syntax letrec-syntax
                syntax-rules)
        (srfi 147)
        (chibi-bridge test))

(define-syntax simple-rules
  (syntax-rules ()
    ((_ pattern template) (syntax-rules () (pattern template)))))

(test-begin "srfi 147")

;; A macro use as transformer.
(define-syntax twice (simple-rules (_ x) (* 2 x)))
(test 6 (twice 3))
(test 9 (let-syntax ((square (simple-rules (_ x) (* x x)))) (square 3)))
(test 1 (letrec-syntax ((one (simple-rules (_) (two))) (two (simple-rules (_) 1)))
          (one)))

;; A keyword as transformer.
(define-syntax si if)
(define-syntax double twice)
(test '(1 8) (list (si #t 1 2) (double 4)))
(test 5 (let-syntax ((when-not unless)) (when-not #f 5)))

(test-end)
(test-exit)
