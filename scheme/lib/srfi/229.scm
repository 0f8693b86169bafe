;;; SRFI 229, the body. The tags stand in a table from a procedure's number to an
;;; ephemeron of it and its tag, so that the table keeps no procedure alive;
;;; whenever it has doubled, what is broken is swept out.

(define tags (%make-table 'eqv))
(define next-sweep 64)

(define (sweep!)
  (vector-for-each
   (lambda (key)
     (if (ephemeron-broken? (%table-ref tags key #f))
         (%table-delete! tags key)))
   (%table-keys tags))
  (set! next-sweep (max 64 (* 2 (%table-count tags)))))

;; A new procedure that does what PROCEDURE does, with TAG.
(define (tag-procedure tag procedure)
  (let ((tagged (case-lambda
                  (() (procedure))
                  ((a) (procedure a))
                  ((a b) (procedure a b))
                  (arguments (apply procedure arguments)))))
    (if (>= (%table-count tags) next-sweep) (sweep!))
    (%table-set! tags (%identity tagged) (make-ephemeron tagged tag))
    tagged))

(define (tag-of obj)
  (and (procedure? obj)
       (let* ((number (%identity obj))
              (entry (and number (%table-ref tags number #f))))
         (and entry (eq? (ephemeron-key entry) obj) entry))))

;;> (lambda/tag tag formals body ...)
;;> A new procedure with the value of TAG as its tag.
;;> (procedure-tag (lambda/tag 'id (x) x)) => id
(define-syntax lambda/tag
  (syntax-rules ()
    ((_ tag formals body ...)
     (tag-procedure tag (lambda formals body ...)))))

;;> (case-lambda/tag tag clause ...)
;;> A new procedure like case-lambda's with the value of TAG as its tag.
;;> ((case-lambda/tag 'id ((x) 1) ((x y) 2)) 1 2) => 2
(define-syntax case-lambda/tag
  (syntax-rules ()
    ((_ tag clause ...)
     (tag-procedure tag (case-lambda clause ...)))))

;;> (procedure/tag? obj)
;;> Is OBJ a procedure with a tag? (procedure/tag? car) => #f
(define (procedure/tag? obj) (if (tag-of obj) #t #f))

;;> (procedure-tag procedure)
;;> Return the tag of PROCEDURE, which must have one.
(define (procedure-tag procedure)
  (let ((entry (tag-of procedure)))
    (if entry
        (ephemeron-datum entry)
        (error "procedure-tag: not a procedure with a tag" procedure))))
