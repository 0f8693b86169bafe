;; SRFI 195: boxes of any number of values.
(define-library (srfi 195)
  (export box box? unbox set-box! box-arity unbox-value set-box-value!)
  (import (scheme base))
  (include "195.scm"))
