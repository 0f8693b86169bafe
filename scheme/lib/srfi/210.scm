;;; SRFI 210, the body.

;;> (list/mv element ... producer), (vector/mv element ... producer), (box/mv element ... producer)
;;> Return a list, vector or box of the elements and all values of PRODUCER.
;;> (list/mv 'a (values 1 2)) => (a 1 2)
(define-syntax define-collector
  (syntax-rules ()
    ((_ name make)
     (define-syntax name
       (syntax-rules ()
         ((_ part (... ...) ) (collect make () part (... ...))))))))
(define-syntax collect
  (syntax-rules ()
    ((_ make (element ...) producer)
     (call-with-values (lambda () producer)
       (lambda values (apply make element ... values))))
    ((_ make (element ...) next . more)
     (collect make (element ... next) . more))))
(define-collector list/mv list)
(define-collector vector/mv vector)
(define-collector box/mv box)

;;> (value/mv index element ... producer)
;;> Return value number INDEX of the elements and the values of PRODUCER.
;;> (value/mv 1 'a (values 'b 'c)) => b
(define-syntax value/mv
  (syntax-rules ()
    ((_ index part ...)
     (let ((i index)) (list-ref (list/mv part ...) i)))))

;;> (coarity producer)
;;> Return how many values PRODUCER has. (coarity (values 1 2)) => 2
(define-syntax coarity
  (syntax-rules () ((_ producer) (length (list/mv producer)))))

;;> (set!-values formals producer)
;;> Assign the values to the variables.
;;> (let ((a 1) (b 2)) (set!-values (a b) (values b a)) (list a b)) => (2 1)
(define-syntax set!-values
  (syntax-rules ()
    ((_ formals producer) (assign-values () () formals producer))))
(define-syntax assign-values
  (syntax-rules ()
    ((_ (variable ...) (new ...) () producer)
     (call-with-values (lambda () producer)
       (lambda (new ...) (set! variable new) ... (if #f #f))))
    ((_ (variable ...) (new ...) (next . more) producer)
     (assign-values (variable ... next) (new ... temporary) more producer))
    ((_ (variable ...) (new ...) rest producer)
     (call-with-values (lambda () producer)
       (lambda (new ... . temporary)
         (set! variable new) ... (set! rest temporary) (if #f #f))))))

;;> (with-values producer consumer)
;;> Call CONSUMER with the values of PRODUCER. (with-values (values 1 2) +) => 3
(define-syntax with-values
  (syntax-rules ()
    ((_ producer consumer) (call-with-values (lambda () producer) consumer))))

;;> (case-receive producer (formals body ...) ...)
;;> The first clause whose formals fit the values.
;;> (case-receive (values 1 2) ((a) 'one) ((a b) 'two)) => two
(define-syntax case-receive
  (syntax-rules ()
    ((_ producer clause ...)
     (call-with-values (lambda () producer) (case-lambda clause ...)))))

;;> (bind/mv producer transducer ...)
;;> Call one transducer after the other with the values of the one before.
;;> (bind/mv (values 1 2) + list) => (3)
(define-syntax bind/mv
  (syntax-rules ()
    ((_ producer transducer ...)
     (call-with-values (lambda () producer) (compose-left transducer ...)))))

;;> (list-values list), (vector-values vector), (box-values box)
;;> Return the elements as values. (with-values (list-values '(1 2)) +) => 3
(define (list-values list) (apply values list))
(define (vector-values vector) (apply values (vector->list vector)))
(define (box-values box) (unbox box))

;;> (value index object ...)
;;> Return the object with this index. (value 1 'a 'b) => b
(define (value index . objects) (list-ref objects index))

;;> (identity object ...)
;;> Return the objects. (identity 1) => 1
(define (identity . objects) (apply values objects))

;;> (compose-left transducer ...), (compose-right transducer ...)
;;> Return the transducer that passes values from the first to the last; or the other way.
;;> ((compose-left + -) 1 2) => -3
(define (compose-left . transducers)
  (if (null? transducers)
      identity
      (let ((rest (apply compose-left (cdr transducers))))
        (if (null? (cdr transducers))
            (car transducers)
            (lambda objects
              (call-with-values (lambda () (apply (car transducers) objects))
                rest))))))
(define (compose-right . transducers)
  (apply compose-left (reverse transducers)))

;;> (map-values procedure)
;;> Return the transducer that applies PROCEDURE to each value.
;;> (with-values ((map-values -) 1 2) list) => (-1 -2)
(define (map-values procedure)
  (lambda objects (apply values (map procedure objects))))

;;> (bind/list list transducer ...), (bind/box box transducer ...), (bind object transducer ...)
;;> As bind/mv, from the elements, the values of a box, or one object.
;;> (bind 1 - list) => (-1)
(define (bind/list list . transducers)
  (call-with-values (lambda () (list-values list))
    (apply compose-left transducers)))
(define (bind/box box . transducers)
  (call-with-values (lambda () (unbox box)) (apply compose-left transducers)))
(define (bind object . transducers)
  ((apply compose-left transducers) object))
