;; SRFI 23: error, R7RS's. The reason may be any object.
(define-library (srfi 23)
  (export error)
  (import (only (scheme base) error)))
