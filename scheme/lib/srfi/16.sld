;; SRFI 16: case-lambda, R7RS's.
(define-library (srfi 16)
  (export case-lambda)
  (import (scheme case-lambda)))
