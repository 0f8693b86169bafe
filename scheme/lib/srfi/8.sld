;; SRFI 8: receive.
(define-library (srfi 8)
  (export receive)
  (import (scheme base))
  (begin
    ;;> (receive formals expression body ...)
    ;;> Bind FORMALS to the values of EXPRESSION in the body.
    ;;> (receive (q . rest) (values 1 2 3) rest) => (2 3)
    (define-syntax receive
      (syntax-rules ()
        ((_ formals expression body ...)
         (call-with-values (lambda () expression)
           (lambda formals body ...)))))))
