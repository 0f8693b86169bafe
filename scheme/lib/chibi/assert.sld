;; (assert expression), with the values of the variables in it.
(define-library (chibi assert)
  (export assert)
  (import (scheme base))
  (include "assert.scm"))
