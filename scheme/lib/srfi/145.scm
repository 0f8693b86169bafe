;;; SRFI 145, the body.

;;> (assume expression message ...)
;;> Return the value of EXPRESSION, which must be true; else raise an error with
;;> the messages and the expression. (assume (+ 1 2)) => 3
(define-syntax assume
  (syntax-rules ()
    ((_ expression) (assume expression "invalid assumption"))
    ((_ expression message ...)
     (or expression
         (assumption-failed 'expression message ...)))
    ((_ . rest) (syntax-error "assume needs an expression"))))

(define (assumption-failed expression message . rest)
  (apply error
         (if (string? message) message "invalid assumption")
         expression
         (if (string? message) rest (cons message rest))))
