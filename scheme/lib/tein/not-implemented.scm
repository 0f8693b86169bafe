;;; For (tein filesystem) and (tein process): names that are there to be told.

(define-syntax define-not-implemented
  (syntax-rules ()
    ((_ name ...)
     (begin
       (define (name . arguments)
         (error "not implemented" 'name))
       ...))))
