;; SRFI 9: records, R7RS's define-record-type.
(define-library (srfi 9)
  (export define-record-type)
  (import (scheme base)))
