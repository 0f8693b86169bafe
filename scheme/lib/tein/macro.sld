;; Not available in this version: a hook into macro expansion. Importing it says so.
(define-library (tein macro)
  (export)
  (import (scheme base))
  (begin
    (syntax-error
     "(tein macro) is not available in this version: macros are syntax-rules, and the reader's syntax is fixed")))
