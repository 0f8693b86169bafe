;;; SRFI 35, the body. A condition is a list of parts (type . ((field . value)
;;; ...)): one for each type it was made of.

;;> (condition-type? object)
;;> Is OBJECT a condition type?
(define-record-type <condition-type>
  (make-type id parent fields)
  condition-type?
  (id type-id)
  (parent type-parent)
  (fields type-own-fields))

;;> (condition? object)
;;> Is OBJECT a condition?
(define-record-type <condition>
  (make-parts parts)
  condition?
  (parts condition-parts))

(define (type-fields type)
  (if type
      (append (type-fields (type-parent type)) (type-own-fields type))
      '()))

(define (subtype? type ancestor)
  (and type
       (or (eq? type ancestor)
           (subtype? (type-parent type) ancestor))))

;; -- types ----------------------------------------------------------------------

;;> (make-condition-type id parent fields)
;;> Return a new condition type with FIELDS besides its parent's.
(define (make-condition-type id parent fields)
  (if (not (symbol? id)) (error "make-condition-type: not a symbol" id))
  (if (not (condition-type? parent))
      (error "make-condition-type: not a condition type" parent))
  (let ((taken (type-fields parent)))
    (for-each (lambda (field)
                (if (memq field taken)
                    (error "make-condition-type: the parent has this field"
                           field)))
              fields))
  (make-type id parent fields))

;;> &condition, &message, &serious, &error
;;> The root of the types; with a field message; what must not be ignored; what
;;> is an error.
(define &condition (make-type '&condition #f '()))

;; -- conditions -----------------------------------------------------------------

(define (check-fields type fields)
  (let ((wanted (type-fields type)))
    (for-each (lambda (field)
                (if (not (memq field wanted))
                    (error "condition: the type has no such field" field)))
              fields)
    (for-each (lambda (field)
                (if (not (memq field fields))
                    (error "condition: a field has no value" field)))
              wanted)))

(define (pairs-of fields+values)
  (cond ((null? fields+values) '())
        ((null? (cdr fields+values))
         (error "make-condition: a field without a value"
                (car fields+values)))
        (else
         (cons (cons (car fields+values) (cadr fields+values))
               (pairs-of (cddr fields+values))))))

;;> (make-condition type field value ...)
;;> Return a condition of TYPE, with a value for each field.
;;> (condition-message (make-condition &message 'message "hi")) => "hi"
(define (make-condition type . fields+values)
  (let ((values (pairs-of fields+values)))
    (check-fields type (map car values))
    (make-parts (list (cons type values)))))

(define (find-part type parts)
  (cond ((null? parts) #f)
        ((subtype? (caar parts) type) (car parts))
        (else (find-part type (cdr parts)))))

;;> (condition-has-type? condition type)
;;> Is CONDITION of TYPE, or of one below it?
(define (condition-has-type? condition type)
  (if (find-part type (condition-parts condition)) #t #f))

;;> (condition-ref condition field)
;;> Return the value of a field.
(define (condition-ref condition field)
  (let loop ((parts (condition-parts condition)))
    (if (null? parts)
        (error "condition-ref: no such field" field)
        (let ((entry (assq field (cdar parts))))
          (if entry (cdr entry) (loop (cdr parts)))))))

;;> (make-compound-condition condition condition ...)
;;> Return a condition of all the types, with all the fields.
(define (make-compound-condition first . rest)
  (make-parts (apply append (map condition-parts (cons first rest)))))

;;> (extract-condition condition type)
;;> Return what of CONDITION is of TYPE alone, as a condition of that type.
(define (extract-condition condition type)
  (let ((part (find-part type (condition-parts condition))))
    (if (not part) (error "extract-condition: not of this type" type))
    (make-parts
     (list (cons type
                 (map (lambda (field) (assq field (cdr part)))
                      (type-fields type)))))))

;; -- syntax ---------------------------------------------------------------------

;;> (define-condition-type name parent predicate (field accessor) ...)
;;> Define a type, its predicate, and an accessor of each field.
(define-syntax define-condition-type
  (syntax-rules ()
    ((_ name parent predicate (field accessor) ...)
     (begin
       (define name (make-condition-type 'name parent '(field ...)))
       (define (predicate object)
         (and (condition? object) (condition-has-type? object name)))
       (define (accessor condition)
         (condition-ref (extract-condition condition name) 'field))
       ...))))

;; The part for a type of a condition form: fields that are not given come from
;; another type's part.
(define (fill-parts parts)
  (let ((all (apply append (map cdr parts))))
    (make-parts
     (map (lambda (part)
            (cons (car part)
                  (map (lambda (field)
                         (or (assq field (cdr part))
                             (assq field all)
                             (error "condition: a field has no value" field)))
                       (type-fields (car part)))))
          parts))))

;;> (condition (type (field value) ...) ...)
;;> Return a condition of the types; a field that several have is given once.
;;> (condition-ref (condition (&message (message "x")) (&error)) 'message)
;;> => "x"
(define-syntax condition
  (syntax-rules ()
    ((_ (type (field value) ...) ...)
     (fill-parts (list (cons type (list (cons 'field value) ...)) ...)))))

;; -- standard types -------------------------------------------------------------

(define &message (make-condition-type '&message &condition '(message)))
(define &serious (make-condition-type '&serious &condition '()))
(define &error (make-condition-type '&error &serious '()))

(define (of-type? object type)
  (and (condition? object) (condition-has-type? object type)))

;;> (message-condition? object)
;;> Is OBJECT a condition of type &message, or an error object?
(define (message-condition? object)
  (or (of-type? object &message) (error-object? object)))

;;> (condition-message condition)
;;> Return the message.
(define (condition-message condition)
  (if (error-object? condition)
      (error-object-message condition)
      (condition-ref (extract-condition condition &message) 'message)))

;;> (serious-condition? object)
;;> Is OBJECT a condition of type &serious, or an error object?
(define (serious-condition? object)
  (or (of-type? object &serious) (error-object? object)))

;;> (error? object)
;;> Is OBJECT a condition of type &error, or an error object?
(define (error? object)
  (or (of-type? object &error) (error-object? object)))
