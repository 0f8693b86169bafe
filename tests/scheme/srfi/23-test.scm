;;; SRFI 23.
(import (scheme base) (srfi 23)
        (chibi-bridge test))

(test-begin "srfi 23")

(define (caught thunk)
  (guard (c ((error-object? c)
             (cons (error-object-message c) (error-object-irritants c))))
    (thunk)))

(test '("no good:" 1 (2)) (caught (lambda () (error "no good:" 1 '(2)))))
(test '("no good") (caught (lambda () (error "no good"))))
(test-error (error 'who "message" 1))

(test-end)
(test-exit)
