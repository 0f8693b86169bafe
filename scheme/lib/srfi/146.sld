;; SRFI 146: mappings, persistent and ordered by a comparator: weight-balanced
;; trees. Looking up, changing and splitting take logarithmic time. The procedures
;; in ! do the same as those without.
(define-library (srfi 146)
  (export
   ;; constructors
   mapping mapping-unfold mapping/ordered mapping-unfold/ordered
   ;; predicates
   mapping? mapping-contains? mapping-empty? mapping-disjoint?
   ;; accessors
   mapping-ref mapping-ref/default mapping-key-comparator
   ;; updaters
   mapping-adjoin mapping-adjoin! mapping-set mapping-set! mapping-replace
   mapping-replace! mapping-delete mapping-delete! mapping-delete-all
   mapping-delete-all! mapping-intern mapping-intern! mapping-update
   mapping-update! mapping-update/default mapping-update!/default mapping-pop
   mapping-pop! mapping-search mapping-search!
   ;; the whole mapping
   mapping-size mapping-find mapping-count mapping-any? mapping-every?
   mapping-keys mapping-values mapping-entries
   ;; mapping and folding
   mapping-map mapping-for-each mapping-fold mapping-map->list mapping-filter
   mapping-filter! mapping-remove mapping-remove! mapping-partition
   mapping-partition!
   ;; copying and conversion
   mapping-copy mapping->alist alist->mapping alist->mapping!
   alist->mapping/ordered alist->mapping/ordered!
   ;; submappings
   mapping=? mapping<? mapping>? mapping<=? mapping>=?
   ;; set theory
   mapping-union mapping-intersection mapping-difference mapping-xor
   mapping-union! mapping-intersection! mapping-difference! mapping-xor!
   ;; ordered mappings
   mapping-min-key mapping-max-key mapping-min-value mapping-max-value
   mapping-min-entry mapping-max-entry mapping-key-predecessor
   mapping-key-successor mapping-range= mapping-range< mapping-range>
   mapping-range<= mapping-range>= mapping-range=! mapping-range<!
   mapping-range>! mapping-range<=! mapping-range>=! mapping-split
   mapping-catenate mapping-catenate! mapping-map/monotone
   mapping-map/monotone! mapping-fold/reverse
   ;; comparators
   comparator? make-mapping-comparator mapping-comparator)
  (import (scheme base) (srfi 128))
  (include "146.scm"))
