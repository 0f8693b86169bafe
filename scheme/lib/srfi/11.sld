;; SRFI 11: let-values and let*-values, R7RS's.
(define-library (srfi 11)
  (export let-values let*-values)
  (import (only (scheme base) let-values let*-values)))
