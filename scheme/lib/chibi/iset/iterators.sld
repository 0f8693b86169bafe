;; Walking through sets of integers, with chibi's names.
(define-library (chibi iset iterators)
  (export
   iset-empty? iset-fold iset-fold-node iset-for-each iset-for-each-node
   iset->list iset-size iset= iset<= iset>=
   iset-cursor iset-cursor? iset-cursor-next iset-ref end-of-iset?
   ;; for the libraries of isets
   iset->ranges)
  (import (scheme base) (chibi iset base)
          (only (srfi 151) arithmetic-shift bit-count first-set-bit
                bitwise-not))
  (include "iterators.scm"))
