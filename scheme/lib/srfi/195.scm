;;; SRFI 195, the body.

(define-record-type <box>
  (make-box values)
  box?
  (values box-values))

;;> (box value ...)
;;> Return a new box of these values. (unbox (box 1)) => 1
(define (box . values) (make-box (list->vector values)))

;;> (box? object)
;;> Is OBJECT a box? (box? 1) => #f

;;> (box-arity box)
;;> Return how many values BOX holds. (box-arity (box 1 2)) => 2
(define (box-arity box) (vector-length (box-values box)))

;;> (unbox box)
;;> Return its values.
(define (unbox box) (apply values (vector->list (box-values box))))

;;> (set-box! box value ...)
;;> Give BOX other values, as many as it has.
(define (set-box! box . values)
  (if (not (= (length values) (box-arity box)))
      (error "set-box!: the box has another number of values" (box-arity box) values))
  (let loop ((i 0) (values values))
    (when (pair? values)
      (vector-set! (box-values box) i (car values))
      (loop (+ i 1) (cdr values)))))

;;> (unbox-value box i), (set-box-value! box i object)
;;> Return, or replace, value number I. (unbox-value (box 1 2) 1) => 2
(define (unbox-value box i) (vector-ref (box-values box) i))
(define (set-box-value! box i object) (vector-set! (box-values box) i object))
