;; SRFI 146: hash mappings, persistent: a mapping from hashes to short alists, so
;; that operations take logarithmic time. The procedures in ! do the same as those
;; without.
(define-library (srfi 146 hash)
  (export
   ;; constructors
   hashmap hashmap-unfold
   ;; predicates
   hashmap? hashmap-contains? hashmap-empty? hashmap-disjoint?
   ;; accessors
   hashmap-ref hashmap-ref/default hashmap-key-comparator
   ;; updaters
   hashmap-adjoin hashmap-adjoin! hashmap-set hashmap-set! hashmap-replace
   hashmap-replace! hashmap-delete hashmap-delete! hashmap-delete-all
   hashmap-delete-all! hashmap-intern hashmap-intern! hashmap-update
   hashmap-update! hashmap-update/default hashmap-update!/default hashmap-pop
   hashmap-pop! hashmap-search hashmap-search!
   ;; the whole hashmap
   hashmap-size hashmap-find hashmap-count hashmap-any? hashmap-every?
   hashmap-keys hashmap-values hashmap-entries
   ;; mapping and folding
   hashmap-map hashmap-for-each hashmap-fold hashmap-map->list hashmap-filter
   hashmap-filter! hashmap-remove hashmap-remove! hashmap-partition
   hashmap-partition!
   ;; copying and conversion
   hashmap-copy hashmap->alist alist->hashmap alist->hashmap!
   ;; submappings
   hashmap=? hashmap<? hashmap>? hashmap<=? hashmap>=?
   ;; set theory
   hashmap-union hashmap-intersection hashmap-difference hashmap-xor
   hashmap-union! hashmap-intersection! hashmap-difference! hashmap-xor!
   ;; comparators
   comparator? make-hashmap-comparator hashmap-comparator)
  (import (scheme base) (srfi 128)
          (only (srfi 146) mapping mapping-ref/default mapping-set
                mapping-delete mapping-fold mapping-pop))
  (include "hash.scm"))
