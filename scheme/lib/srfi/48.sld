;; SRFI 48: intermediate format strings. Besides: ~10a and ~10s pad on the right,
;; ~5d, ~5x, ~5o, ~5b on the left, with ~5,'0d by that character. Numbers from
;; 1e21 on have an exponent.
(define-library (srfi 48)
  (export format)
  (import (chibi-bridge format)))
