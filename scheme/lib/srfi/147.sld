;; SRFI 147: custom macro transformers. The forms of (scheme base): where they want
;; a transformer, a keyword or a macro use that expands into one will do too.
(define-library (srfi 147)
  (export define-syntax let-syntax letrec-syntax syntax-rules)
  (import (scheme base)))
