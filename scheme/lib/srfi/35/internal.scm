;;; (srfi 35 internal), what SRFI 35 does not name.

;;> (condition-subtype? a b)
;;> Is the type A the type B, or below it?
(define (condition-subtype? a b) (subtype? a b))

;;> (condition-type-ancestors type)
;;> Return the list of TYPE and the types above it.
(define (condition-type-ancestors type)
  (if type
      (cons type (condition-type-ancestors (type-parent type)))
      '()))

;;> (simple-conditions condition)
;;> Return the list of the conditions of one type that CONDITION is made of.
(define (simple-conditions condition)
  (map (lambda (part) (make-parts (list part))) (condition-parts condition)))

;;> (compound-condition-components condition)
;;> The same.
(define compound-condition-components simple-conditions)

;;> (simple-condition? object), (compound-condition? object)
;;> Is OBJECT a condition of one type, or of several?
(define (simple-condition? object)
  (and (condition? object) (null? (cdr (condition-parts object)))))
(define (compound-condition? object)
  (and (condition? object) (pair? (cdr (condition-parts object)))))

;;> (condition-predicate type)
;;> Return the predicate of conditions of TYPE.
(define (condition-predicate type)
  (lambda (object) (of-type? object type)))

;;> (condition-accessor type f)
;;> Return the procedure of a condition that calls F with its part of TYPE.
(define (condition-accessor type f)
  (lambda (condition) (f (extract-condition condition type))))

;;> (define-condition-type/constructor name parent constructor predicate
;;> (field accessor) ...)
;;> As define-condition-type, and a constructor of all fields, the parent's first.
(define-syntax define-condition-type/constructor
  (syntax-rules ()
    ((_ name parent constructor predicate (field accessor) ...)
     (begin
       (define-condition-type name parent predicate (field accessor) ...)
       (define (constructor . values)
         (let ((fields (type-fields name)))
           (if (not (= (length fields) (length values)))
               (error "a condition's constructor: wrong number of values"
                      'name values))
           (make-parts (list (cons name (map cons fields values))))))))))

;;> (make-message-condition message), (make-serious-condition), (make-error)
;;> Return a condition of the type &message, &serious or &error.
(define (make-message-condition message)
  (make-condition &message 'message message))
(define (make-serious-condition) (make-condition &serious))
(define (make-error) (make-condition &error))
