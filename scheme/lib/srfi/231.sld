;; SRFI 231: intervals and generalized arrays. Indexes are checked in all arrays. The
;; procedures with ! are the same as those without.
(define-library (srfi 231)
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
   storage-class-data? storage-class-data->body s8-storage-class
   s16-storage-class s32-storage-class s64-storage-class u1-storage-class
   u8-storage-class u16-storage-class u32-storage-class u64-storage-class
   f8-storage-class f16-storage-class f32-storage-class f64-storage-class
   c64-storage-class c128-storage-class char-storage-class
   ;; arrays
   make-array array? array-domain array-getter array-dimension mutable-array?
   array-setter specialized-array-default-safe?
   specialized-array-default-mutable? make-specialized-array
   make-specialized-array-from-data specialized-array? array-storage-class
   array-indexer array-body array-safe? array-packed? specialized-array-share
   array-ref array-set! array-freeze! array-empty?
   array-copy array-copy! array-curry array-extract array-tile array-translate
   array-permute array-reverse array-sample array-outer-product array-map
   array-for-each array-foldl array-foldr array-fold-left array-fold-right
   array-reduce array-any array-every array-inner-product array-stack
   array-stack! array-append array-append! array-block array-block!
   array-decurry array-decurry! array->list list->array array->vector
   vector->array array->list* list*->array array->vector* vector*->array
   array-assign! specialized-array-reshape)
  (import (scheme base) (srfi 160 base)
          (except (srfi 160 mini) f8vector f16vector u1vector)
          (srfi 231 base))
  (include "231/transforms.scm"))
