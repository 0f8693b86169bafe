;; SRFI 113: sets and bags, over hash tables, in the order of insertion.
(define-library (srfi 113)
  (export
   ;; sets: constructors, predicates, accessors
   set set-unfold set? set-contains? set-empty? set-disjoint? set-member
   set-element-comparator
   ;; updaters
   set-adjoin set-adjoin! set-replace set-replace! set-delete set-delete!
   set-delete-all set-delete-all! set-search!
   ;; the whole set
   set-size set-find set-count set-any? set-every?
   ;; mapping, folding
   set-map set-for-each set-fold set-filter set-remove set-partition
   set-filter! set-remove! set-partition!
   ;; copying, conversion
   set-copy set->list list->set list->set!
   ;; subsets
   set=? set<? set>? set<=? set>=?
   ;; theory
   set-union set-intersection set-difference set-xor
   set-union! set-intersection! set-difference! set-xor!
   ;; bags: constructors, predicates, accessors
   bag bag-unfold bag? bag-contains? bag-empty? bag-disjoint? bag-member
   bag-element-comparator
   ;; updaters
   bag-adjoin bag-adjoin! bag-replace bag-replace! bag-delete bag-delete!
   bag-delete-all bag-delete-all! bag-search!
   ;; the whole bag
   bag-size bag-find bag-count bag-any? bag-every?
   ;; mapping, folding
   bag-map bag-for-each bag-fold bag-filter bag-remove bag-partition
   bag-filter! bag-remove! bag-partition!
   ;; copying, conversion
   bag-copy bag->list list->bag list->bag!
   ;; subbags
   bag=? bag<? bag>? bag<=? bag>=?
   ;; theory
   bag-union bag-intersection bag-difference bag-xor
   bag-union! bag-intersection! bag-difference! bag-xor!
   ;; only for bags
   bag-sum bag-sum! bag-product bag-product! bag-unique-size
   bag-element-count bag-for-each-unique bag-fold-unique bag-increment!
   bag-decrement! bag->set set->bag set->bag! bag->alist alist->bag
   ;; comparators
   set-comparator bag-comparator)
  (import (scheme base) (scheme case-lambda) (chibi-bridge hash-table)
          (srfi 128))
  (include "113.scm"))
