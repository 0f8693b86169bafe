;; Hash tables: one type for SRFI 69 and SRFI 125, over the engine's tables.
;; Tables keep the order of insertion. Where the two SRFIs differ in the order
;; of arguments, both orders are taken.
(define-library (chibi-bridge hash-table)
  (export
   make-hash-table hash-table hash-table-unfold alist->hash-table
   hash-table? hash-table-contains? hash-table-exists? hash-table-empty?
   hash-table=? hash-table-mutable?
   hash-table-ref hash-table-ref/default
   hash-table-set! hash-table-delete! hash-table-intern! hash-table-update!
   hash-table-update!/default hash-table-pop! hash-table-clear!
   hash-table-size hash-table-keys hash-table-values hash-table-entries
   hash-table-find hash-table-count
   hash-table-map hash-table-for-each hash-table-walk hash-table-map!
   hash-table-map->list hash-table-fold hash-table-prune!
   hash-table-copy hash-table-empty-copy hash-table->alist
   hash-table-union! hash-table-merge! hash-table-intersection!
   hash-table-difference! hash-table-xor!
   hash hash-by-identity hash-table-equivalence-function
   hash-table-hash-function)
  (import (scheme base) (scheme char) (srfi 128)
          (only (%core) %make-table %table? %table-ref %table-set!
                %table-delete! %table-count %table-clear! %table-copy
                %table-kind %table-extra %set-table-extra! %table-mutable?
                %table-hash %table-keys %table-values %table-cursor
                %table-key-at %table-value-at))
  (include "hash-table.scm"))
