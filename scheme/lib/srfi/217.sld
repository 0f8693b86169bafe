;; SRFI 217: sets of integers, those of (chibi iset).
(define-library (srfi 217)
  (export
   ;; constructors
   iset iset-unfold make-range-iset
   ;; predicates and accessors
   iset? iset-contains? iset-empty? iset-disjoint? iset-member iset-min
   iset-max
   ;; updaters
   iset-adjoin iset-adjoin! iset-delete iset-delete! iset-delete-all
   iset-delete-all! iset-search iset-search! iset-delete-min
   iset-delete-min! iset-delete-max iset-delete-max!
   ;; the whole set
   iset-size iset-find iset-count iset-any? iset-every?
   ;; mapping and folding
   iset-map iset-for-each iset-fold iset-fold-right iset-filter iset-filter!
   iset-remove iset-remove! iset-partition iset-partition!
   ;; copying and conversion
   iset-copy iset->list list->iset list->iset!
   ;; subsets
   iset=? iset<? iset>? iset<=? iset>=?
   ;; set theory
   iset-union iset-union! iset-intersection iset-intersection!
   iset-difference iset-difference! iset-xor iset-xor!
   ;; intervals and ranges
   iset-open-interval iset-closed-interval iset-open-closed-interval
   iset-closed-open-interval isubset= isubset< isubset<= isubset> isubset>=)
  (import (scheme base) (scheme case-lambda)
          (except (chibi iset) list->iset list->iset!)
          (rename (only (chibi iset) list->iset) (list->iset made-of))
          (only (chibi iset iterators) iset->ranges)
          (only (chibi iset constructors) ranges->iset))
  (include "217.scm"))
