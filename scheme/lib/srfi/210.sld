;; SRFI 210: procedures and syntax for multiple values. Boxes are those of (srfi 195).
(define-library (srfi 210)
  (export
   list/mv vector/mv box/mv value/mv coarity set!-values with-values
   case-receive bind/mv
   list-values vector-values box-values value identity compose-left
   compose-right map-values bind/list bind/box bind)
  (import (scheme base) (scheme case-lambda)
          (only (srfi 195) box unbox))
  (include "210.scm"))
