;;; SRFI 2.
(import (scheme base) (srfi 2) (chibi-bridge test))

(test-begin "srfi 2")

(test #t (and-let* () #t))
(test #t (and-let* ()))
(test 1 (and-let* () 1))
(test 1 (let ((x 1)) (and-let* (x))))
(test #f (let ((x #f)) (and-let* (x) 'no)))
(test 1 (and-let* ((x (assq 'a '((a . 1)))) ((pair? x))) (cdr x)))
(test #f (and-let* ((x #f) (y (error "not evaluated"))) x))
(test 2 (and-let* ((x 1) (y (+ x 1)))))
(test 3 (and-let* (((= 1 1)) (x 3)) x))
(test #f (and-let* (((= 1 2)) (x 3)) x))
(test 4 (and-let* ((x 4)) (define y x) y))
(test 'second (and-let* ((x 1) (x 'second)) x))

(test-end)
(test-exit)
