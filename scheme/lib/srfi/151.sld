;; SRFI 151: bitwise operations on integers of any size.
(define-library (srfi 151)
  (export
   ;; basic operations
   bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand
   bitwise-nor bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
   ;; integer operations
   arithmetic-shift bit-count integer-length bitwise-if
   ;; single bits
   bit-set? copy-bit bit-swap any-bit-set? every-bit-set? first-set-bit
   ;; fields
   bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
   bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse
   ;; conversion
   bits->list list->bits bits->vector vector->bits bits
   ;; fold, unfold, generate
   bitwise-fold bitwise-for-each bitwise-unfold make-bitwise-generator)
  (import (scheme base)
          (only (%core) bitwise-not bitwise-and bitwise-ior bitwise-xor
                arithmetic-shift bit-count integer-length bit-set?))
  (include "151.scm"))
