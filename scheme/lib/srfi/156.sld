;; SRFI 156: combiners of predicates in infix form.
(define-library (srfi 156)
  (export is isnt)
  (import (scheme base))
  (include "156.scm"))
