;; Not available in this version: reader syntax that a program adds. Importing it says so.
(define-library (tein reader)
  (export)
  (import (scheme base))
  (begin
    (syntax-error
     "(tein reader) is not available in this version: macros are syntax-rules, and the reader's syntax is fixed")))
