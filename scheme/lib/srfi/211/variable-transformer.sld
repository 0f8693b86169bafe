;; SRFI 211, procedural macros, which the engine does not have: importing this says so.
(define-library (srfi 211 variable-transformer)
  (export)
  (import (scheme base))
  (begin
    (syntax-error "(srfi 211 variable-transformer) is not available: macros are written with syntax-rules only")))
