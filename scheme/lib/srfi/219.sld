;; SRFI 219: define for procedures that return procedures:
;; (define ((adder n) m) (+ n m)).
(define-library (srfi 219)
  (export define)
  (import (rename (scheme base) (define base:define)))
  (include "219.scm"))
