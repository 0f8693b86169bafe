;; SRFI 31: rec, recursive expressions.
(define-library (srfi 31)
  (export rec)
  (import (scheme base))
  (begin
    ;;> (rec (name . formals) body ...)
    ;;> (rec name expression)
    ;;> Return the procedure, or the value of EXPRESSION, that can name itself.
    ;;> ((rec (f n) (if (= n 0) 1 (* n (f (- n 1))))) 5) => 120
    (define-syntax rec
      (syntax-rules ()
        ((_ (name . formals) . body)
         (letrec ((name (lambda formals . body))) name))
        ((_ name expression)
         (letrec ((name expression)) name))))))
