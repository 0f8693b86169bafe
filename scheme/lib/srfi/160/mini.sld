;; Vectors of small elements beside those of SRFI 160, with chibi's names.
(define-library (srfi 160 mini)
  (export
   make-f8vector f8vector f8? f8vector? f8vector-ref f8vector-set!
   f8vector-length f8vector->list list->f8vector make-f16vector f16vector f16?
   f16vector? f16vector-ref f16vector-set! f16vector-length f16vector->list
   list->f16vector make-u1vector u1vector u1? u1vector? u1vector-ref
   u1vector-set! u1vector-length u1vector->list list->u1vector)
  (import (scheme base) (scheme case-lambda) (scheme complex)
          (chibi-bridge ieee))
  (include "kind.scm" "mini.scm"))
