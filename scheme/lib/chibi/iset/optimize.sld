;; Smaller and flatter sets of integers, with chibi's names.
(define-library (chibi iset optimize)
  (export iset-balance iset-balance! iset-optimize iset-optimize! iset->code)
  (import (scheme base) (chibi iset base) (chibi iset iterators)
          (chibi iset constructors)
          (only (srfi 151) arithmetic-shift bitwise-ior))
  (include "optimize.scm"))
