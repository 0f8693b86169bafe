;;; SRFI 160, the basic procedures.

;; -- s8 --------------------------------------------------------------------

;;> (make-s8vector n [fill])
;;> Return a new vector of N elements.
;;> (s8vector obj ...)
;;> Return a new vector of the arguments.
;;> (s8? obj)
;;> Can OBJ be an element?
;;> (s8vector? obj)
;;> Is OBJ such a vector?
;;> (s8vector-length vector)
;;> Return the number of elements.
;;> (s8vector-ref vector i)
;;> Return element I.
;;> (s8vector-set! vector i obj)
;;> Make OBJ element I.
;;> (s8vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->s8vector list)
;;> Return a new vector of the elements of LIST.
(define s8? (signed? 8))
(define-kind "s8vector" s8? same s8-type wrap-s8 unwrap-s8
  make-s8vector s8vector s8vector? s8vector-length s8vector-ref
  s8vector-set! s8vector->list list->s8vector)

;; -- u8 --------------------------------------------------------------------

;;> (make-u8vector n [fill])
;;> Return a new vector of N elements.
;;> (u8vector obj ...)
;;> Return a new vector of the arguments.
;;> (u8? obj)
;;> Can OBJ be an element?
;;> (u8vector? obj)
;;> Is OBJ such a vector?
;;> (u8vector-length vector)
;;> Return the number of elements.
;;> (u8vector-ref vector i)
;;> Return element I.
;;> (u8vector-set! vector i obj)
;;> Make OBJ element I.
;;> (u8vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->u8vector list)
;;> Return a new vector of the elements of LIST.
(define u8? (unsigned? 8))
(define make-u8vector
  (case-lambda
    ((n) (make-bytevector n 0))
    ((n fill) (make-bytevector n fill))))
(define u8vector bytevector)
(define u8vector? bytevector?)
(define u8vector-length bytevector-length)
(define u8vector-ref bytevector-u8-ref)
(define u8vector-set! bytevector-u8-set!)
(define u8vector->list
  (case-lambda
    ((v) (u8vector->list v 0 (bytevector-length v)))
    ((v start) (u8vector->list v start (bytevector-length v)))
    ((v start end)
     (let loop ((i (- end 1)) (out '()))
       (if (< i start)
           out
           (loop (- i 1) (cons (bytevector-u8-ref v i) out)))))))
(define (list->u8vector list)
  (let ((out (make-bytevector (length list))))
    (let loop ((i 0) (rest list))
      (if (null? rest)
          out
          (begin
            (bytevector-u8-set! out i (car rest))
            (loop (+ i 1) (cdr rest)))))))

;; -- s16 -------------------------------------------------------------------

;;> (make-s16vector n [fill])
;;> Return a new vector of N elements.
;;> (s16vector obj ...)
;;> Return a new vector of the arguments.
;;> (s16? obj)
;;> Can OBJ be an element?
;;> (s16vector? obj)
;;> Is OBJ such a vector?
;;> (s16vector-length vector)
;;> Return the number of elements.
;;> (s16vector-ref vector i)
;;> Return element I.
;;> (s16vector-set! vector i obj)
;;> Make OBJ element I.
;;> (s16vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->s16vector list)
;;> Return a new vector of the elements of LIST.
(define s16? (signed? 16))
(define-kind "s16vector" s16? same s16-type wrap-s16 unwrap-s16
  make-s16vector s16vector s16vector? s16vector-length s16vector-ref
  s16vector-set! s16vector->list list->s16vector)

;; -- u16 -------------------------------------------------------------------

;;> (make-u16vector n [fill])
;;> Return a new vector of N elements.
;;> (u16vector obj ...)
;;> Return a new vector of the arguments.
;;> (u16? obj)
;;> Can OBJ be an element?
;;> (u16vector? obj)
;;> Is OBJ such a vector?
;;> (u16vector-length vector)
;;> Return the number of elements.
;;> (u16vector-ref vector i)
;;> Return element I.
;;> (u16vector-set! vector i obj)
;;> Make OBJ element I.
;;> (u16vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->u16vector list)
;;> Return a new vector of the elements of LIST.
(define u16? (unsigned? 16))
(define-kind "u16vector" u16? same u16-type wrap-u16 unwrap-u16
  make-u16vector u16vector u16vector? u16vector-length u16vector-ref
  u16vector-set! u16vector->list list->u16vector)

;; -- s32 -------------------------------------------------------------------

;;> (make-s32vector n [fill])
;;> Return a new vector of N elements.
;;> (s32vector obj ...)
;;> Return a new vector of the arguments.
;;> (s32? obj)
;;> Can OBJ be an element?
;;> (s32vector? obj)
;;> Is OBJ such a vector?
;;> (s32vector-length vector)
;;> Return the number of elements.
;;> (s32vector-ref vector i)
;;> Return element I.
;;> (s32vector-set! vector i obj)
;;> Make OBJ element I.
;;> (s32vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->s32vector list)
;;> Return a new vector of the elements of LIST.
(define s32? (signed? 32))
(define-kind "s32vector" s32? same s32-type wrap-s32 unwrap-s32
  make-s32vector s32vector s32vector? s32vector-length s32vector-ref
  s32vector-set! s32vector->list list->s32vector)

;; -- u32 -------------------------------------------------------------------

;;> (make-u32vector n [fill])
;;> Return a new vector of N elements.
;;> (u32vector obj ...)
;;> Return a new vector of the arguments.
;;> (u32? obj)
;;> Can OBJ be an element?
;;> (u32vector? obj)
;;> Is OBJ such a vector?
;;> (u32vector-length vector)
;;> Return the number of elements.
;;> (u32vector-ref vector i)
;;> Return element I.
;;> (u32vector-set! vector i obj)
;;> Make OBJ element I.
;;> (u32vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->u32vector list)
;;> Return a new vector of the elements of LIST.
(define u32? (unsigned? 32))
(define-kind "u32vector" u32? same u32-type wrap-u32 unwrap-u32
  make-u32vector u32vector u32vector? u32vector-length u32vector-ref
  u32vector-set! u32vector->list list->u32vector)

;; -- s64 -------------------------------------------------------------------

;;> (make-s64vector n [fill])
;;> Return a new vector of N elements.
;;> (s64vector obj ...)
;;> Return a new vector of the arguments.
;;> (s64? obj)
;;> Can OBJ be an element?
;;> (s64vector? obj)
;;> Is OBJ such a vector?
;;> (s64vector-length vector)
;;> Return the number of elements.
;;> (s64vector-ref vector i)
;;> Return element I.
;;> (s64vector-set! vector i obj)
;;> Make OBJ element I.
;;> (s64vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->s64vector list)
;;> Return a new vector of the elements of LIST.
(define s64? (signed? 64))
(define-kind "s64vector" s64? same s64-type wrap-s64 unwrap-s64
  make-s64vector s64vector s64vector? s64vector-length s64vector-ref
  s64vector-set! s64vector->list list->s64vector)

;; -- u64 -------------------------------------------------------------------

;;> (make-u64vector n [fill])
;;> Return a new vector of N elements.
;;> (u64vector obj ...)
;;> Return a new vector of the arguments.
;;> (u64? obj)
;;> Can OBJ be an element?
;;> (u64vector? obj)
;;> Is OBJ such a vector?
;;> (u64vector-length vector)
;;> Return the number of elements.
;;> (u64vector-ref vector i)
;;> Return element I.
;;> (u64vector-set! vector i obj)
;;> Make OBJ element I.
;;> (u64vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->u64vector list)
;;> Return a new vector of the elements of LIST.
(define u64? (unsigned? 64))
(define-kind "u64vector" u64? same u64-type wrap-u64 unwrap-u64
  make-u64vector u64vector u64vector? u64vector-length u64vector-ref
  u64vector-set! u64vector->list list->u64vector)

;; -- f32 -------------------------------------------------------------------

;;> (make-f32vector n [fill])
;;> Return a new vector of N elements.
;;> (f32vector obj ...)
;;> Return a new vector of the arguments.
;;> (f32? obj)
;;> Can OBJ be an element?
;;> (f32vector? obj)
;;> Is OBJ such a vector?
;;> (f32vector-length vector)
;;> Return the number of elements.
;;> (f32vector-ref vector i)
;;> Return element I.
;;> (f32vector-set! vector i obj)
;;> Make OBJ element I.
;;> (f32vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->f32vector list)
;;> Return a new vector of the elements of LIST.
(define (f32? obj) (and (real? obj) (inexact? obj)))
(define-kind "f32vector" real? single f32-type wrap-f32 unwrap-f32
  make-f32vector f32vector f32vector? f32vector-length f32vector-ref
  f32vector-set! f32vector->list list->f32vector)

;; -- f64 -------------------------------------------------------------------

;;> (make-f64vector n [fill])
;;> Return a new vector of N elements.
;;> (f64vector obj ...)
;;> Return a new vector of the arguments.
;;> (f64? obj)
;;> Can OBJ be an element?
;;> (f64vector? obj)
;;> Is OBJ such a vector?
;;> (f64vector-length vector)
;;> Return the number of elements.
;;> (f64vector-ref vector i)
;;> Return element I.
;;> (f64vector-set! vector i obj)
;;> Make OBJ element I.
;;> (f64vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->f64vector list)
;;> Return a new vector of the elements of LIST.
(define (f64? obj) (and (real? obj) (inexact? obj)))
(define-kind "f64vector" real? inexact f64-type wrap-f64 unwrap-f64
  make-f64vector f64vector f64vector? f64vector-length f64vector-ref
  f64vector-set! f64vector->list list->f64vector)

;; -- c64 -------------------------------------------------------------------

;;> (make-c64vector n [fill])
;;> Return a new vector of N elements.
;;> (c64vector obj ...)
;;> Return a new vector of the arguments.
;;> (c64? obj)
;;> Can OBJ be an element?
;;> (c64vector? obj)
;;> Is OBJ such a vector?
;;> (c64vector-length vector)
;;> Return the number of elements.
;;> (c64vector-ref vector i)
;;> Return element I.
;;> (c64vector-set! vector i obj)
;;> Make OBJ element I.
;;> (c64vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->c64vector list)
;;> Return a new vector of the elements of LIST.
(define (c64? obj) (and (complex? obj) (inexact? obj)))
(define-kind "c64vector" complex? complex-single c64-type wrap-c64 unwrap-c64
  make-c64vector c64vector c64vector? c64vector-length c64vector-ref
  c64vector-set! c64vector->list list->c64vector)

;; -- c128 ------------------------------------------------------------------

;;> (make-c128vector n [fill])
;;> Return a new vector of N elements.
;;> (c128vector obj ...)
;;> Return a new vector of the arguments.
;;> (c128? obj)
;;> Can OBJ be an element?
;;> (c128vector? obj)
;;> Is OBJ such a vector?
;;> (c128vector-length vector)
;;> Return the number of elements.
;;> (c128vector-ref vector i)
;;> Return element I.
;;> (c128vector-set! vector i obj)
;;> Make OBJ element I.
;;> (c128vector->list vector [start [end]])
;;> Return the list of the elements.
;;> (list->c128vector list)
;;> Return a new vector of the elements of LIST.
(define (c128? obj) (and (complex? obj) (inexact? obj)))
(define-kind "c128vector" complex? inexact c128-type wrap-c128 unwrap-c128
  make-c128vector c128vector c128vector? c128vector-length c128vector-ref
  c128vector-set! c128vector->list list->c128vector)
