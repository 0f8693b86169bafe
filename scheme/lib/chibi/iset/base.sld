;; The nodes that sets of integers are made of, with chibi's names.
(define-library (chibi iset base)
  (export
   Integer-Set %make-iset make-iset iset? iset-contains?
   iset-start iset-end iset-bits iset-left iset-right
   iset-start-set! iset-end-set! iset-bits-set! iset-left-set!
   iset-right-set!)
  (import (scheme base) (only (srfi 151) bit-set?))
  (include "base.scm"))
