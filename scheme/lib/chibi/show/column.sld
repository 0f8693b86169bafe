;; Columns, those of (srfi 166 columnar).
(define-library (chibi show column)
  (export
   columnar tabular wrapped wrapped/list wrapped/char justified from-file
   line-numbers show-columns)
  (import (srfi 166 columnar)))
