;; SRFI 37: args-fold, a processor of program arguments.
(define-library (srfi 37)
  (export args-fold option option? option-names option-required-arg?
          option-optional-arg? option-processor)
  (import (scheme base))
  (include "37.scm"))
