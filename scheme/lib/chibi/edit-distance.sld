;; The Levenshtein distance of strings.
(define-library (chibi edit-distance)
  (export edit-distance find-nearest-edits)
  (import (scheme base))
  (include "edit-distance.scm"))
