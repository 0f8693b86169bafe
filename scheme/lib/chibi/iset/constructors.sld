;; Making sets of integers of others, with chibi's names. A procedure with ! may change
;; its first set, and returns it.
(define-library (chibi iset constructors)
  (export
   iset iset-copy list->iset list->iset! iset-map
   iset-adjoin iset-adjoin! iset-delete iset-delete!
   iset-union iset-union! iset-intersection iset-intersection!
   iset-difference iset-difference!
   ;; nodes
   iset-copy-node iset-squash-bits! iset-insert-left! iset-insert-right!
   ;; for the libraries of isets
   ranges->iset iset-become!)
  (import (scheme base) (chibi iset base) (chibi iset iterators)
          (only (srfi 132) list-sort)
          (only (srfi 151) arithmetic-shift bit-count bit-set? bitwise-and
                bitwise-ior bitwise-not))
  (include "constructors.scm"))
