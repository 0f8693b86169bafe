;; SRFI 60: integers as bits, with both of its names for each procedure.
(define-library (srfi 60)
  (export
   ;; logic
   logand bitwise-and logior bitwise-ior logxor bitwise-xor lognot bitwise-not
   bitwise-if bitwise-merge logtest any-bits-set?
   ;; properties
   logcount bit-count integer-length log2-binary-factors first-set-bit
   ;; bits
   logbit? bit-set? copy-bit
   ;; fields
   bit-field copy-bit-field ash arithmetic-shift rotate-bit-field
   reverse-bit-field
   ;; as booleans
   integer->list list->integer booleans->integer)
  (import (scheme base)
          (only (%core) bitwise-and bitwise-ior bitwise-xor bitwise-not
                arithmetic-shift integer-length bit-count bit-set?))
  (include "60.scm"))
