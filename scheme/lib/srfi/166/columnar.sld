;; SRFI 166: columns, wrapped and justified text.
(define-library (srfi 166 columnar)
  (export columnar tabular wrapped wrapped/list wrapped/char justified from-file
          line-numbers show-columns)
  (import (scheme base) (scheme char) (scheme file) (srfi 166 base))
  (include "columnar.scm"))
