;; Generic procedures: methods chosen by predicates of their arguments.
(define-library (chibi generic)
  (export define-generic define-method make-generic generic-add!
          call-next-method)
  (import (scheme base))
  (include "generic.scm"))
