;; Differences of two sequences by their longest common subsequence. Changes at
;; the edges are told too.
(define-library (chibi diff)
  (export lcs lcs-with-positions diff write-diff diff->string write-edits
          edits->string edits->string/color write-line-diffs
          write-line-diffs/color write-char-diffs write-char-diffs/color)
  (import (scheme base) (scheme case-lambda)
          (only (chibi term ansi) red green))
  (include "diff.scm"))
