;;; SRFI 99, the body. The engine's record types know the names of their fields;
;;; with one that is made here stands the list of its own fields that cannot be
;;; changed.

(define (check-rtd who object)
  (if (not (%record-type? object))
      (error (string-append (symbol->string who) ": not a record type")
             object)))

;; -- procedures -----------------------------------------------------------------

;; A field is said by its name, (mutable name) or (immutable name).
(define (spec-name spec)
  (cond ((symbol? spec) spec)
        ((and (list? spec)
              (= (length spec) 2)
              (memq (car spec) '(mutable immutable))
              (symbol? (cadr spec)))
         (cadr spec))
        (else (error "make-rtd: not a field" spec))))

(define (immutable-names specs)
  (cond ((null? specs) '())
        ((and (pair? (car specs)) (eq? (caar specs) 'immutable))
         (cons (cadar specs) (immutable-names (cdr specs))))
        (else (immutable-names (cdr specs)))))

;;> (make-rtd name fields [parent [option ...]])
;;> Return a new record type. FIELDS is a vector of names, (mutable name) and
;;> (immutable name). (rtd-name (make-rtd 'point #(x y))) => point
(define (make-rtd name fields . rest)
  (let ((parent (if (pair? rest) (car rest) #f))
        (specs (vector->list fields)))
    (if parent (check-rtd 'make-rtd parent))
    (let ((rtd (%make-record-type name (map spec-name specs) parent)))
      (%set-record-type-uid! rtd (list 'immutable (immutable-names specs)))
      rtd)))

;;> (rtd? object)
;;> Is OBJECT a record type?
(define (rtd? object) (%record-type? object))

(define (all-names rtd) (vector->list (%record-type-fields rtd)))

;; The place of a field among all of RTD's; of several with one name the last
;; one, which is not a parent's.
(define (field-index who rtd name)
  (check-rtd who rtd)
  (let loop ((names (all-names rtd)) (i 0) (found #f))
    (cond ((pair? names)
           (loop (cdr names) (+ i 1) (if (eq? (car names) name) i found)))
          (found found)
          (else
           (error (string-append (symbol->string who) ": no such field")
                  name rtd)))))

;; The procedure of as many arguments as there are places that stores them there
;; in a record of n fields.
(define (constructor-by-places rtd n places)
  (lambda arguments
    (let ((fields (make-vector n #f)))
      (let loop ((places places) (rest arguments))
        (cond ((and (pair? places) (pair? rest))
               (vector-set! fields (car places) (car rest))
               (loop (cdr places) (cdr rest)))
              ((or (pair? places) (pair? rest))
               (error "a record's constructor: wrong number of arguments"
                      rtd arguments))))
      (apply %record rtd (vector->list fields)))))

;;> (rtd-constructor rtd [fields])
;;> Return the procedure that makes a record of all fields, the parent's first;
;;> or of those in the vector FIELDS.
(define (rtd-constructor rtd . rest)
  (check-rtd 'rtd-constructor rtd)
  (let ((n (vector-length (%record-type-fields rtd))))
    (constructor-by-places
     rtd n
     (if (pair? rest)
         (map (lambda (name) (field-index 'rtd-constructor rtd name))
              (vector->list (car rest)))
         (let loop ((i (- n 1)) (places '()))
           (if (< i 0) places (loop (- i 1) (cons i places))))))))

;;> (rtd-predicate rtd)
;;> Return the predicate of records of RTD and of types below it.
(define (rtd-predicate rtd)
  (check-rtd 'rtd-predicate rtd)
  (lambda (object) (%record? object rtd)))

;;> (rtd-accessor rtd field)
;;> Return the procedure of a record that answers this field.
(define (rtd-accessor rtd field)
  (let ((i (field-index 'rtd-accessor rtd field)))
    (lambda (record) (%record-ref record rtd i))))

;;> (rtd-mutator rtd field)
;;> Return the procedure of a record and a value that stores it in this field.
(define (rtd-mutator rtd field)
  (let ((i (field-index 'rtd-mutator rtd field)))
    (if (not (rtd-field-mutable? rtd field))
        (error "rtd-mutator: the field cannot be changed" field rtd))
    (lambda (record value) (%record-set! record rtd i value))))

;; -- inspection -----------------------------------------------------------------

;;> (record? object)
;;> Is OBJECT a record?
(define (record? object) (%record? object))

;;> (record-rtd record)
;;> Return the type of RECORD.
(define (record-rtd record) (%record-type record))

;;> (rtd-name rtd)
;;> Return the name of RTD.
(define (rtd-name rtd) (%record-type-name rtd))

;;> (rtd-parent rtd)
;;> Return the parent of RTD, or #f.
(define (rtd-parent rtd) (%record-type-parent rtd))

;;> (rtd-all-field-names rtd)
;;> Return a vector of the names of all fields, the parent's first.
(define (rtd-all-field-names rtd) (vector-copy (%record-type-fields rtd)))

;;> (rtd-field-names rtd)
;;> Return a vector of the names of the fields that are not the parent's.
(define (rtd-field-names rtd)
  (let ((parent (rtd-parent rtd)))
    (vector-copy (%record-type-fields rtd)
                 (if parent
                     (vector-length (%record-type-fields parent))
                     0))))

;;> (rtd-field-mutable? rtd field)
;;> Can this field, the parent's or not, be changed?
(define (rtd-field-mutable? rtd field)
  (field-index 'rtd-field-mutable? rtd field)
  (let loop ((rtd rtd))
    (cond ((memq field (vector->list (rtd-field-names rtd)))
           (let ((kept (%record-type-uid rtd)))
             (not (and (pair? kept)
                       (eq? (car kept) 'immutable)
                       (memq field (cadr kept))))))
          (else (loop (rtd-parent rtd))))))

;; -- syntax ---------------------------------------------------------------------

;;> (define-record-type type constructor predicate field ...)
;;> TYPE is a name or (name parent option ...). CONSTRUCTOR is #f, a name, (name
;;> field ...), or #t for make- and the type's name; PREDICATE #f, a name, or #t
;;> for the type's name and ?. A field is name or (name) with derived names of
;;> accessor (type-name) and, for (name), mutator (type-name-set!); (name
;;> accessor) or (name accessor mutator).
(define-syntax define-record-type-99
  (syntax-rules ()
    ((_ (name parent . options) . rest) (define-record name parent . rest))
    ((_ name . rest) (define-record name #f . rest))))

(define-syntax define-record
  (syntax-rules ()
    ((_ name parent constructor predicate field ...)
     (begin
       (define name
         (make-rtd 'name (vector (field-spec field) ...) parent))
       (define-constructor name constructor)
       (define-predicate name predicate)
       (define-field name field) ...))))

(define-syntax field-spec
  (syntax-rules ()
    ((_ (field)) '(mutable field))
    ((_ (field accessor)) '(immutable field))
    ((_ (field accessor mutator)) '(mutable field))
    ((_ field) '(immutable field))))

(define-syntax define-constructor
  (syntax-rules ()
    ((_ type #f) (begin))
    ((_ type #t)
     (%join-identifiers (define-as (rtd-constructor type)) "make-" type))
    ((_ type (name field ...))
     (define name (rtd-constructor type '#(field ...))))
    ((_ type name) (define name (rtd-constructor type)))))

(define-syntax define-predicate
  (syntax-rules ()
    ((_ type #f) (begin))
    ((_ type #t)
     (%join-identifiers (define-as (rtd-predicate type)) type "?"))
    ((_ type name) (define name (rtd-predicate type)))))

(define-syntax define-field
  (syntax-rules ()
    ((_ type (field))
     (begin
       (define-field type field)
       (%join-identifiers (define-as (rtd-mutator type 'field))
                          type "-" field "-set!")))
    ((_ type (field accessor))
     (define accessor (rtd-accessor type 'field)))
    ((_ type (field accessor mutator))
     (begin
       (define accessor (rtd-accessor type 'field))
       (define mutator (rtd-mutator type 'field))))
    ((_ type field)
     (%join-identifiers (define-as (rtd-accessor type 'field))
                        type "-" field))))

(define-syntax define-as
  (syntax-rules ()
    ((_ expression name) (define name expression))))
