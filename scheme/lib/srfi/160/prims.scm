;;; (srfi 160 prims), the body.

;;> SEXP_U1, SEXP_S8, SEXP_U8, SEXP_S16, SEXP_U16, SEXP_S32, SEXP_U32, SEXP_S64,
;;> SEXP_U64, SEXP_F32, SEXP_F64, SEXP_C64, SEXP_C128, SEXP_F8, SEXP_F16
;;> Numbers that stand for the kinds. (= SEXP_U1 SEXP_S8) => #f
(define SEXP_U1 1)
(define SEXP_S8 2)
(define SEXP_U8 3)
(define SEXP_S16 4)
(define SEXP_U16 5)
(define SEXP_S32 6)
(define SEXP_U32 7)
(define SEXP_S64 8)
(define SEXP_U64 9)
(define SEXP_F32 10)
(define SEXP_F64 11)
(define SEXP_C64 12)
(define SEXP_C128 13)
(define SEXP_F8 14)
(define SEXP_F16 15)

;;> (uvector-length vector)
;;> Return the number of elements of a homogeneous vector of any kind.
;;> (uvector-length (u8vector 1 2)) => 2
(define (uvector-length vector)
  (cond ((bytevector? vector) (bytevector-length vector))
        ((u1vector? vector) (u1vector-length vector))
        ((s8vector? vector) (s8vector-length vector))
        ((u16vector? vector) (u16vector-length vector))
        ((s16vector? vector) (s16vector-length vector))
        ((u32vector? vector) (u32vector-length vector))
        ((s32vector? vector) (s32vector-length vector))
        ((u64vector? vector) (u64vector-length vector))
        ((s64vector? vector) (s64vector-length vector))
        ((f32vector? vector) (f32vector-length vector))
        ((f64vector? vector) (f64vector-length vector))
        ((c64vector? vector) (c64vector-length vector))
        ((c128vector? vector) (c128vector-length vector))
        ((f8vector? vector) (f8vector-length vector))
        ((f16vector? vector) (f16vector-length vector))
        (else (error "uvector-length: not a homogeneous vector" vector))))
