;; R7RS-large: sorting, those of (srfi 132).
(define-library (scheme sort)
  (export list-sort list-stable-sort list-sort! list-stable-sort! list-sorted?
          list-merge list-merge! list-delete-neighbor-dups
          list-delete-neighbor-dups! vector-sort vector-stable-sort
          vector-sort! vector-stable-sort! vector-sorted? vector-merge
          vector-merge! vector-delete-neighbor-dups
          vector-delete-neighbor-dups! vector-find-median vector-find-median!
          vector-select! vector-separate!)
  (import (srfi 132)))
