;; SRFI 188: splicing-let-syntax and splicing-letrec-syntax: their bodies' definitions
;; belong to the place around.
(define-library (srfi 188)
  (export splicing-let-syntax splicing-letrec-syntax)
  (import (scheme base) (only (%core) %with-fresh-names))
  (include "188.scm"))
