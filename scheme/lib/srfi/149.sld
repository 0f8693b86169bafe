;; SRFI 149: syntax-rules whose templates may have more ellipses behind a variable than its
;; pattern; the innermost one goes by the variable. All of our syntax-rules is such.
(define-library (srfi 149)
  (export syntax-rules define-syntax let-syntax letrec-syntax ... _)
  (import (scheme base)))
