;; SRFI 160: homogeneous vectors, the basic procedures. A u8vector is a bytevector.
(define-library (srfi 160 base)
  (export
   ;; s8
   make-s8vector s8vector s8? s8vector? s8vector-length s8vector-ref
   s8vector-set! s8vector->list list->s8vector
   ;; u8
   make-u8vector u8vector u8? u8vector? u8vector-length u8vector-ref
   u8vector-set! u8vector->list list->u8vector
   ;; s16
   make-s16vector s16vector s16? s16vector? s16vector-length s16vector-ref
   s16vector-set! s16vector->list list->s16vector
   ;; u16
   make-u16vector u16vector u16? u16vector? u16vector-length u16vector-ref
   u16vector-set! u16vector->list list->u16vector
   ;; s32
   make-s32vector s32vector s32? s32vector? s32vector-length s32vector-ref
   s32vector-set! s32vector->list list->s32vector
   ;; u32
   make-u32vector u32vector u32? u32vector? u32vector-length u32vector-ref
   u32vector-set! u32vector->list list->u32vector
   ;; s64
   make-s64vector s64vector s64? s64vector? s64vector-length s64vector-ref
   s64vector-set! s64vector->list list->s64vector
   ;; u64
   make-u64vector u64vector u64? u64vector? u64vector-length u64vector-ref
   u64vector-set! u64vector->list list->u64vector
   ;; f32
   make-f32vector f32vector f32? f32vector? f32vector-length f32vector-ref
   f32vector-set! f32vector->list list->f32vector
   ;; f64
   make-f64vector f64vector f64? f64vector? f64vector-length f64vector-ref
   f64vector-set! f64vector->list list->f64vector
   ;; c64
   make-c64vector c64vector c64? c64vector? c64vector-length c64vector-ref
   c64vector-set! c64vector->list list->c64vector
   ;; c128
   make-c128vector c128vector c128? c128vector? c128vector-length
   c128vector-ref c128vector-set! c128vector->list list->c128vector)
  (import (scheme base) (scheme case-lambda) (scheme complex)
          (only (chibi-bridge ieee) flonum->single-bits single-bits->flonum))
  (include "kind.scm" "base.scm"))
