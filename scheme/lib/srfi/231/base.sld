;; SRFI 231, the intervals and arrays, with what lies under them under chibi's names.
(define-library (srfi 231 base)
  (export
   ;; multi-indexes
   translation? permutation? index-rotate index-first index-last index-swap
   ;; intervals
   make-interval interval? interval-dimension interval-lower-bound
   interval-upper-bound interval-lower-bounds->list interval-upper-bounds->list
   interval-lower-bounds->vector interval-upper-bounds->vector interval=
   interval-volume interval-subset? interval-contains-multi-index?
   interval-projections interval-fold-left interval-fold-right
   interval-for-each interval-dilate interval-intersect interval-translate
   interval-permute interval-scale interval-cartesian-product interval-width
   interval-widths interval-empty?
   ;; storage
   make-storage-class storage-class? storage-class-getter storage-class-setter
   storage-class-checker storage-class-maker storage-class-copier
   storage-class-length storage-class-default generic-storage-class
   storage-class-data? storage-class-data->body
   ;; arrays
   make-array array? array-domain array-getter array-dimension mutable-array?
   array-setter specialized-array-default-safe?
   specialized-array-default-mutable? make-specialized-array
   make-specialized-array-from-data specialized-array? array-storage-class
   array-indexer array-body array-safe? array-packed? specialized-array-share
   array-ref array-set! array-freeze! array-empty?
   ;; what lies under them
   vector-iota interval-lb interval-ub indexer->coeffs coeffs->indexer
   default-indexer default-coeffs invert-default-index interval-cursor
   interval-cursor-next! interval-cursor-next interval-cursor-get interval-fold
   array-coeffs array-adjacent? %make-specialized %array-setter-set!
   specialized-getter specialized-setter)
  (import (scheme base))
  (include "base.scm"))
