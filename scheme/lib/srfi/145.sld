;; SRFI 145: assumptions. An assumption that does not hold is an error here.
(define-library (srfi 145)
  (export assume)
  (import (scheme base))
  (include "145.scm"))
