;; SRFI 232: flexible curried procedures.
(define-library (srfi 232)
  (export curried define-curried)
  (import (scheme base))
  (include "232.scm"))
