;;; Reads expressions from standard input; answers, a line each, the written
;;; form of its value, or `raised`. Run as: guile --no-auto-compile --r7rs -s guile.scm
(import (scheme base) (scheme char) (scheme complex) (scheme cxr) (scheme eval)
        (scheme inexact) (scheme lazy) (scheme read) (scheme write)
        (scheme case-lambda) (only (guile) set-port-encoding! current-warning-port
                                   %make-void-port exact-integer-sqrt
                                   print-enable))

(set-port-encoding! (current-input-port) "UTF-8")
(set-port-encoding! (current-output-port) "UTF-8")
(print-enable 'r7rs-symbols)
(current-warning-port (%make-void-port "w"))

(define program
  (environment '(scheme base) '(scheme char) '(scheme complex) '(scheme cxr)
               '(scheme eval) '(scheme inexact) '(scheme lazy) '(scheme read)
               '(scheme write) '(scheme case-lambda)))

(define (written object)
  (let ((port (open-output-string)))
    (write object port)
    (get-output-string port)))

(define (answer expression)
  (guard (condition (#t "raised"))
    (written (eval expression program))))

(let loop ()
  (let ((expression (read)))
    (unless (eof-object? expression)
      (write-string (answer expression))
      (newline)
      (flush-output-port (current-output-port))
      (loop))))
