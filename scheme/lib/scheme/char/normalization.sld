;; Comparing strings that differ in how Unicode composes their characters only: by
;; their canonical decompositions.
(define-library (scheme char normalization)
  (export string-ni=? string-ni<? string-ni>? string-ni<=? string-ni>=?)
  (import (scheme base))
  (include "normalization-data.scm" "normalization.scm"))
