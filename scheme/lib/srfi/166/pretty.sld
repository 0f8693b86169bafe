;; SRFI 166: Scheme data laid out in lines.
(define-library (srfi 166 pretty)
  (export pretty pretty-shared pretty-simply pretty-color)
  (import (scheme base) (scheme write) (srfi 166 base)
          (only (srfi 166 color) as-red as-green as-cyan as-bold))
  (include "pretty.scm"))
