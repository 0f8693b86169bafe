;; SRFI 39: parameter objects, R7RS's. A parameter is changed by parameterize
;; alone; called with an argument it is an error.
(define-library (srfi 39)
  (export make-parameter parameterize)
  (import (only (scheme base) make-parameter parameterize)))
