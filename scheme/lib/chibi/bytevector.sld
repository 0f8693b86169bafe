;; Numbers in bytevectors and as hexadecimal text.
(define-library (chibi bytevector)
  (export
   ;; unsigned integers
   bytevector-u16-ref-le bytevector-u16-ref-be
   bytevector-u32-ref-le bytevector-u32-ref-be
   bytevector-u64-ref-le bytevector-u64-ref-be
   bytevector-u16-set-le! bytevector-u16-set-be!
   bytevector-u32-set-le! bytevector-u32-set-be!
   bytevector-u64-set-le! bytevector-u64-set-be!
   bytevector-ber-ref bytevector-ber-set!
   ;; flonums
   bytevector-ieee-single-ref bytevector-ieee-single-native-ref
   bytevector-ieee-double-ref bytevector-ieee-double-native-ref
   bytevector-ieee-single-set! bytevector-ieee-single-native-set!
   bytevector-ieee-double-set! bytevector-ieee-double-native-set!
   ;; whole bytevectors
   bytevector-pad-left integer->bytevector bytevector->integer
   integer->hex-string hex-string->integer
   bytevector->hex-string hex-string->bytevector)
  (import (scheme base) (chibi-bridge ieee)
          (only (%core) bitwise-and arithmetic-shift integer-length))
  (include "bytevector.scm"))
