;; Procedural macros, which the engine does not have: importing this says so.
(define-library (chibi syntax-case)
  (export)
  (import (scheme base))
  (begin
    (syntax-error "(chibi syntax-case) is not available: macros are written with syntax-rules only")))
