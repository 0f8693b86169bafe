;; SRFI 95: sorting and merging.
(define-library (srfi 95)
  (export sorted? merge merge! sort sort!)
  (import (chibi-bridge sort)))
