;; SRFI 34: exceptions, as (scheme base) has them.
(define-library (srfi 34)
  (export with-exception-handler guard raise else =>)
  (import (scheme base)))
