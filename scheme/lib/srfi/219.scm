;;; SRFI 219, the body.

;;> (define name expression), (define (head argument ...) body ...)
;;> Like R7RS's define; but HEAD may be such a form itself, and then defines a
;;> procedure that returns the one with these arguments.
;;> (let () (define ((adder n) m) (+ n m)) ((adder 1) 2)) => 3
(define-syntax define
  (syntax-rules ()
    ((_ ((head . outer) . arguments) body ...)
     (define (head . outer) (lambda arguments body ...)))
    ((_ head body ...) (base:define head body ...))))
