;; Differences of two sequences by their longest common subsequence. Changes at
;; the edges are told too.
(define-library (chibi diff)
  (export lcs lcs-with-positions diff write-diff diff->string write-line-diffs)
  (import (scheme base) (scheme case-lambda))
  (include "diff.scm"))
