;;; (chibi equiv), the body.

;;> (equiv? a b)
;;> Do A and B have the same structure, however they share their parts?
;;> (equiv? '(1 (2)) '(1 (2))) => #t
(define (equiv? a b) (equal? a b))
