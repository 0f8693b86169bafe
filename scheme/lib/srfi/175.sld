;; SRFI 175: ASCII characters. A character or its code is taken, and the same kind
;; given back.
(define-library (srfi 175)
  (export
   ;; predicates
   ascii-codepoint? ascii-bytevector? ascii-char? ascii-string? ascii-control?
   ascii-non-control? ascii-whitespace? ascii-space-or-tab?
   ascii-other-graphic? ascii-upper-case? ascii-lower-case? ascii-alphabetic?
   ascii-alphanumeric? ascii-numeric?
   ;; values
   ascii-digit-value ascii-upper-case-value ascii-lower-case-value
   ascii-nth-digit ascii-nth-upper-case ascii-nth-lower-case
   ;; conversion
   ascii-upcase ascii-downcase ascii-control->graphic ascii-graphic->control
   ascii-mirror-bracket
   ;; comparison
   ascii-ci=? ascii-ci<? ascii-ci>? ascii-ci<=? ascii-ci>=?
   ascii-string-ci=? ascii-string-ci<? ascii-string-ci>? ascii-string-ci<=?
   ascii-string-ci>=?)
  (import (scheme base))
  (include "175.scm"))
