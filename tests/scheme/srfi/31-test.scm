;;; SRFI 31.
(import (scheme base) (srfi 31)
        (chibi-bridge test))

(test-begin "srfi 31")

(test 120 ((rec (f n) (if (= n 0) 1 (* n (f (- n 1))))) 5))
(test '(3 (1 2)) (list ((rec f (lambda (n) (if (= n 3) n (f (+ n 1))))) 0)
                       ((rec (g . all) all) 1 2)))
(test 1 (car ((cdr (rec s (cons 1 (lambda () s)))))))

(test-end)
(test-exit)
