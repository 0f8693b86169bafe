;; SRFI 179: intervals and generalized arrays. Indexes are checked in all arrays; intervals
;; may be empty, as those of SRFI 231, which took its place.
(define-library (srfi 179)
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
   s8-storage-class s16-storage-class s32-storage-class s64-storage-class
   u1-storage-class u8-storage-class u16-storage-class u32-storage-class
   u64-storage-class f8-storage-class f16-storage-class f32-storage-class
   f64-storage-class c64-storage-class c128-storage-class
   ;; arrays
   make-array array? array-domain array-getter array-dimension mutable-array?
   array-setter specialized-array-default-safe?
   specialized-array-default-mutable? make-specialized-array specialized-array?
   array-storage-class array-indexer array-body array-safe?
   specialized-array-share array-ref array-set! array-elements-in-order?
   array-copy array-curry array-extract array-tile array-translate
   array-permute array-rotate array-reverse array-sample array-outer-product
   array-map array-for-each array-fold array-fold-right array-reduce array-any
   array-every array->list list->array array-assign! specialized-array-reshape)
  (import (scheme base) (srfi 179 base)
          (rename (only (srfi 231) index-rotate list->array array-foldr array-fold-left
                        s8-storage-class s16-storage-class s32-storage-class s64-storage-class u1-storage-class u8-storage-class u16-storage-class
                        u32-storage-class u64-storage-class f8-storage-class f16-storage-class f32-storage-class f64-storage-class c64-storage-class c128-storage-class
                        array-curry array-extract array-tile array-translate array-permute array-reverse array-sample array-outer-product array-map array-for-each array-reduce array-any array-every array->list array-assign! specialized-array-reshape)
                  (list->array new:list->array)))
  (include "179/transforms.scm"))
