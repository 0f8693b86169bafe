;; SRFI 134: immutable deques, by two lists of balanced lengths: constant time at
;; both ends, taken over all operations.
(define-library (srfi 134)
  (export
   ;; constructors
   ideque ideque-tabulate ideque-unfold ideque-unfold-right
   ;; predicates
   ideque? ideque-empty? ideque= ideque-any ideque-every
   ;; both ends
   ideque-front ideque-add-front ideque-remove-front
   ideque-back ideque-add-back ideque-remove-back
   ;; other accessors
   ideque-ref ideque-take ideque-take-right ideque-drop ideque-drop-right
   ideque-split-at
   ;; whole ideques
   ideque-length ideque-append ideque-reverse ideque-count ideque-zip
   ;; mapping
   ideque-map ideque-filter-map ideque-for-each ideque-for-each-right
   ideque-fold ideque-fold-right ideque-append-map
   ;; filtering, searching
   ideque-filter ideque-remove ideque-partition ideque-find ideque-find-right
   ideque-take-while ideque-take-while-right ideque-drop-while
   ideque-drop-while-right ideque-span ideque-break
   ;; conversion
   list->ideque ideque->list generator->ideque ideque->generator)
  (import (scheme base) (srfi 1))
  (include "134.scm"))
