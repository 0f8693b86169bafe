;; SRFI 142: bitwise operations, which became SRFI 151 under some other names.
(define-library (srfi 142)
  (export
   bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand
   bitwise-nor bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
   arithmetic-shift bit-count integer-length bitwise-if
   bit-set? any-bit-set? every-bit-set? first-set-bit copy-bit bit-swap
   bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
   bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse
   (rename bits->list integer->list) (rename list->bits list->integer)
   (rename bits->vector integer->vector) (rename vector->bits vector->integer)
   bits bitwise-fold bitwise-for-each bitwise-unfold make-bitwise-generator)
  (import (srfi 151)))
