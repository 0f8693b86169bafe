;; SRFI 179, the intervals and arrays, with what lies under them under chibi's names.
(define-library (srfi 179 base)
  (export
   translation? permutation?
   ;; intervals
   make-interval interval? interval-dimension interval-lower-bound
   interval-upper-bound interval-lower-bounds->list interval-upper-bounds->list
   interval-lower-bounds->vector interval-upper-bounds->vector interval=
   interval-volume interval-subset? interval-contains-multi-index?
   interval-projections interval-for-each interval-dilate interval-intersect
   interval-translate interval-permute interval-scale
   interval-cartesian-product interval-rotate
   ;; storage
   make-storage-class storage-class? storage-class-getter storage-class-setter
   storage-class-checker storage-class-maker storage-class-copier
   storage-class-length storage-class-default generic-storage-class
   ;; arrays
   make-array array? array-domain array-getter array-dimension mutable-array?
   array-setter specialized-array-default-safe?
   specialized-array-default-mutable? make-specialized-array specialized-array?
   array-storage-class array-indexer array-body array-safe?
   specialized-array-share array-ref array-set! array-elements-in-order?
   ;; what lies under them
   interval-lb interval-ub indexer->coeffs coeffs->indexer default-indexer
   default-coeffs invert-default-index interval-cursor interval-cursor-next!
   interval-cursor-next interval-cursor-get interval-fold array-coeffs
   array-adjacent? %make-specialized %array-setter-set! specialized-getter
   specialized-setter)
  (import (scheme base)
          (rename (srfi 231 base)
                  (make-specialized-array new:make-specialized-array)))
  (include "arrays.scm"))
