;; SRFI 197: pipeline operators.
(define-library (srfi 197)
  (export chain chain-and chain-when chain-lambda nest nest-reverse _ ...)
  (import (scheme base))
  (include "197.scm"))
