;;; SRFI 156, the body.

;;> (is object predicate), (is object relation object ...), (isnt ...)
;;> Does it hold, or not; a chain of relations holds where each does. A _ for an object makes
;;> a procedure of it. (is 1 < 2 < 3) => #t
(define-syntax is
  (syntax-rules ()
    ((_ . parts) (with-places infix () () . parts))))

(define-syntax isnt
  (syntax-rules ()
    ((_ . parts) (with-places not-infix () () . parts))))

;; A name for each _, in their order.
(define-syntax with-places
  (syntax-rules (_)
    ((with-places k () parts) (k . parts))
    ((with-places k (name ...) parts) (lambda (name ...) (k . parts)))
    ((with-places k (name ...) (part ...) _ . more)
     (with-places k (name ... place) (part ... place) . more))
    ((with-places k names (part ...) next . more)
     (with-places k names (part ... next) . more))))

(define-syntax not-infix
  (syntax-rules () ((_ . parts) (not (infix . parts)))))

(define-syntax infix
  (syntax-rules ()
    ((_ object predicate) (predicate object))
    ((_ left relation right) (relation left right))
    ((_ left relation right . more)
     (let ((shared right))
       (and (relation left shared) (infix shared . more))))))
