;; SRFI 33: integer bitwise operations. A field is said by its size and the index
;; of its lowest bit.
(define-library (srfi 33)
  (export
   ;; logic
   bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand
   bitwise-nor bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
   ;; integers
   arithmetic-shift bit-count integer-length bitwise-merge
   ;; bits
   bit-set? any-bits-set? all-bits-set? first-set-bit
   ;; fields
   extract-bit-field test-bit-field? clear-bit-field replace-bit-field
   copy-bit-field)
  (import (scheme base)
          (only (srfi 60) bitwise-merge any-bits-set?)
          (only (srfi 151)
                bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv
                bitwise-nand bitwise-nor bitwise-andc1 bitwise-andc2
                bitwise-orc1 bitwise-orc2 arithmetic-shift bit-count
                integer-length bit-set? first-set-bit))
  (include "33.scm"))
