;; Flonums as the bits of IEEE 754 formats of any size, rounded to even.
(define-library (chibi-bridge ieee)
  (export flonum->bits bits->flonum flonum->half-bits half-bits->flonum
          flonum->single-bits single-bits->flonum
          flonum->double-bits double-bits->flonum)
  (import (scheme base) (scheme inexact)
          (only (%core) bitwise-and arithmetic-shift integer-length
                %flonum-bits %bits-flonum))
  (include "ieee.scm"))
