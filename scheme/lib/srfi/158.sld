;; SRFI 158: generators and accumulators.
(define-library (srfi 158)
  (export
   ;; constructors of generators
   generator circular-generator make-iota-generator make-range-generator
   make-coroutine-generator list->generator vector->generator
   reverse-vector->generator string->generator bytevector->generator
   make-for-each-generator make-unfold-generator
   ;; generators of generators
   gcons* gappend gflatten ggroup gmerge gmap gcombine gfilter gremove
   gstate-filter gtake gdrop gtake-while gdrop-while gdelete
   gdelete-neighbor-dups gindex gselect
   ;; consumers
   generator->list generator->reverse-list generator->vector
   generator->vector! generator->string generator-fold generator-map->list
   generator-for-each generator-find generator-count generator-any
   generator-every generator-unfold
   ;; accumulators
   make-accumulator count-accumulator list-accumulator
   reverse-list-accumulator vector-accumulator reverse-vector-accumulator
   vector-accumulator! string-accumulator bytevector-accumulator
   bytevector-accumulator! sum-accumulator product-accumulator)
  (import (scheme base) (scheme case-lambda))
  (include "158.scm"))
