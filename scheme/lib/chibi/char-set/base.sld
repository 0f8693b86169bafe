;; Character sets: what (chibi char-set) begins with, over (srfi 14).
(define-library (chibi char-set base)
  (export
   char-set? char-set-contains? immutable-char-set)
  (import (scheme base) (only (srfi 14) char-set? char-set-contains?))
  (include "base.scm"))
