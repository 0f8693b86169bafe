;; SRFI 143: fixnums, integers of 61 bits here. A result that is no fixnum is an
;; error, but for the -/carry procedures.
(define-library (srfi 143)
  (export
   ;; constants
   fx-width fx-greatest fx-least
   ;; predicates
   fixnum? fx=? fx<? fx>? fx<=? fx>=? fxzero? fxpositive? fxnegative? fxodd?
   fxeven? fxmax fxmin
   ;; arithmetic
   fx+ fx- fx* fxneg fxquotient fxremainder fxabs fxsquare fxsqrt
   fx+/carry fx-/carry fx*/carry
   ;; bits
   fxnot fxand fxior fxxor fxarithmetic-shift fxarithmetic-shift-left
   fxarithmetic-shift-right fxbit-count fxlength fxif fxbit-set? fxcopy-bit
   fxfirst-set-bit fxbit-field fxbit-field-rotate fxbit-field-reverse)
  (import (scheme base) (only (srfi 141) balanced/)
          (only (srfi 151) bitwise-not bitwise-and bitwise-ior bitwise-xor
                arithmetic-shift bit-count integer-length bitwise-if bit-set?
                copy-bit first-set-bit bit-field bit-field-rotate
                bit-field-reverse))
  (include "143.scm"))
