;; SRFI 26: procedures by leaving out arguments.
(define-library (srfi 26)
  (export cut cute)
  (import (scheme base))
  (include "26.scm"))
