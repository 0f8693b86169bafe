;; Pretty printing, that of (srfi 166 pretty).
(define-library (chibi show pretty)
  (export
   pretty pretty-shared pretty-simply pretty-color)
  (import (srfi 166 pretty)))
