;;; SRFI 227, the defining forms.

;;> (define-optionals (name parameter ... . rest) body ...)
;;> Define a procedure like opt-lambda's.
;;> (let () (define-optionals (f (a 1)) a) (f)) => 1
(define-syntax define-optionals
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define name (opt-lambda parameters body ...)))))

;;> (define-optionals* (name parameter ... . rest) body ...)
;;> Define a procedure like opt*-lambda's.
;;> (let () (define-optionals* (f (a 1) (b a)) b) (f)) => 1
(define-syntax define-optionals*
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define name (opt*-lambda parameters body ...)))))
