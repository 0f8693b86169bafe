;; SRFI 99's syntactic layer.
(define-library (srfi 99 records syntactic)
  (export define-record-type)
  (import (srfi 99)))
