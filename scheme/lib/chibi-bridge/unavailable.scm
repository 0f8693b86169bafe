;;; (chibi-bridge unavailable), the body.

(define (refuse name capability)
  (%raise-new
   (%make-condition 'sandbox
                    (string-append (symbol->string name)
                                   " is not available: it needs the capability "
                                   (symbol->string capability)
                                   ", which no policy grants")
                    '()
                    capability)
   name))

;;> (define-unavailable capability name ...)
;;> Define the NAMEs as procedures that raise: CAPABILITY is missing.
(define-syntax define-unavailable
  (syntax-rules ()
    ((_ capability name ...)
     (begin
       (define (name . arguments) (refuse 'name 'capability)) ...))))

;;> (define-unavailable-syntax capability name ...)
;;> Define the NAMEs as syntax whose uses raise the same.
(define-syntax define-unavailable-syntax
  (syntax-rules ()
    ((_ capability name ...)
     (begin (unavailable-syntax capability name) ...))))

(define-syntax unavailable-syntax
  (syntax-rules ()
    ((_ capability name)
     (define-syntax name
       (syntax-rules ()
         ((_ . rest) (refuse 'name 'capability)))))))
