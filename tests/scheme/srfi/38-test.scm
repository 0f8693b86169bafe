;;; SRFI 38.
(import (scheme base) (srfi 38)
        (chibi-bridge test))

(test-begin "srfi 38")

(define (written object)
  (let ((port (open-output-string)))
    (write/ss object port)
    (get-output-string port)))
(define circle (list 1 2))
(set-cdr! (cdr circle) circle)
(define twice (let ((x (list 'a))) (list x x)))

(test "#0=(1 2 . #0#)" (written circle))
(test "(#0=(a) #0#)" (written twice))
(test "(1 \"x\" #\\y)" (written '(1 "x" #\y)))
(test "(#0=(a) #0#)" (let ((port (open-output-string)))
                       (write-with-shared-structure twice port 'ignored)
                       (get-output-string port)))
(test #t (let ((x (read/ss (open-input-string "#1=(a #1#)"))))
           (eq? x (cadr x))))
(test '(1 2) (read-with-shared-structure (open-input-string "(1 2)")))
(test #t (eof-object? (read/ss (open-input-string ""))))

(test-end)
(test-exit)
