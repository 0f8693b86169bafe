;;; (srfi 160 mini), the body: floating point numbers of 16 and of 8 bits (5 of the
;;; exponent), and bits.

(define (half x) (half-bits->flonum (flonum->half-bits (inexact x))))
(define (quarter x) (bits->flonum (flonum->bits (inexact x) 5 2) 5 2))

;; -- f16 --------------------------------------------------------------------

;;> (make-f16vector n [fill])
;;> Return a new vector of N elements.
;;> (f16vector obj ...)
;;> Return a new vector of the arguments.
;;> (f16? obj)
;;> Can OBJ be an element?
;;> (f16vector? obj)
;;> Is OBJ such a vector?
;;> (f16vector-length vector)
;;> Return the number of elements.
;;> (f16vector-ref vector i)
;;> Return element I.
;;> (f16vector-set! vector i obj)
;;> Make OBJ element I.
;;> (f16vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->f16vector list)
;;> Return a new vector of the elements of LIST.
(define (f16? obj) (and (real? obj) (inexact? obj)))
(define-kind "f16vector" real? half f16-type wrap-f16 unwrap-f16
  make-f16vector f16vector f16vector? f16vector-length f16vector-ref
  f16vector-set! f16vector->list list->f16vector)

;; -- f8 --------------------------------------------------------------------

;;> (make-f8vector n [fill])
;;> Return a new vector of N elements.
;;> (f8vector obj ...)
;;> Return a new vector of the arguments.
;;> (f8? obj)
;;> Can OBJ be an element?
;;> (f8vector? obj)
;;> Is OBJ such a vector?
;;> (f8vector-length vector)
;;> Return the number of elements.
;;> (f8vector-ref vector i)
;;> Return element I.
;;> (f8vector-set! vector i obj)
;;> Make OBJ element I.
;;> (f8vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->f8vector list)
;;> Return a new vector of the elements of LIST.
(define (f8? obj) (and (real? obj) (inexact? obj)))
(define-kind "f8vector" real? quarter f8-type wrap-f8 unwrap-f8
  make-f8vector f8vector f8vector? f8vector-length f8vector-ref
  f8vector-set! f8vector->list list->f8vector)

;; -- u1 --------------------------------------------------------------------

;;> (make-u1vector n [fill])
;;> Return a new vector of N elements.
;;> (u1vector obj ...)
;;> Return a new vector of the arguments.
;;> (u1? obj)
;;> Can OBJ be an element?
;;> (u1vector? obj)
;;> Is OBJ such a vector?
;;> (u1vector-length vector)
;;> Return the number of elements.
;;> (u1vector-ref vector i)
;;> Return element I.
;;> (u1vector-set! vector i obj)
;;> Make OBJ element I.
;;> (u1vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->u1vector list)
;;> Return a new vector of the elements of LIST.
(define u1? (unsigned? 1))
(define-kind "u1vector" u1? same u1-type wrap-u1 unwrap-u1
  make-u1vector u1vector u1vector? u1vector-length u1vector-ref
  u1vector-set! u1vector->list list->u1vector)
