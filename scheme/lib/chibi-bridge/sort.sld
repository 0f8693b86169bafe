;; Sorting for SRFI 95 and SRFI 132: a stable merge sort. The procedures take
;; the sequence and the order in either order of arguments.
(define-library (chibi-bridge sort)
  (export
   sort sort! sorted? merge merge!
   list-sort list-stable-sort list-sort! list-stable-sort! list-sorted?
   list-merge list-merge! list-delete-neighbor-dups list-delete-neighbor-dups!
   vector-sort vector-stable-sort vector-sort! vector-stable-sort!
   vector-sorted? vector-merge vector-merge! vector-delete-neighbor-dups
   vector-delete-neighbor-dups! vector-find-median vector-find-median!
   vector-select! vector-separate!)
  (import (scheme base))
  (include "sort.scm"))
