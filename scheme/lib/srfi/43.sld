;; SRFI 43: vector library. Procedures of elements are given the index first;
;; what is the same in SRFI 133 is that library's.
(define-library (srfi 43)
  (export
   ;; constructors
   make-vector vector vector-unfold vector-unfold-right
   (rename vector-copy-43 vector-copy) vector-reverse-copy vector-append
   vector-concatenate
   ;; predicates
   vector? vector-empty? vector=
   ;; selectors
   vector-ref vector-length
   ;; iteration
   vector-fold vector-fold-right
   (rename vector-map-43 vector-map) vector-map!
   (rename vector-for-each-43 vector-for-each) vector-count
   ;; searching
   vector-index vector-index-right vector-skip vector-skip-right
   vector-binary-search vector-any vector-every
   ;; mutators
   vector-set! vector-swap! vector-fill! vector-reverse! vector-copy!
   vector-reverse-copy!
   ;; conversion
   vector->list reverse-vector->list list->vector reverse-list->vector)
  (import (scheme base)
          (only (srfi 133)
                vector-unfold vector-unfold-right vector-reverse-copy
                vector-concatenate vector-empty? vector= vector-index
                vector-index-right vector-skip vector-skip-right
                vector-binary-search vector-any vector-every vector-swap!
                vector-reverse! vector-reverse-copy! reverse-vector->list
                reverse-list->vector))
  (include "43.scm"))
