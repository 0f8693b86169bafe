;; SRFI 5: let with a signature of the loop and rest bindings.
(define-library (srfi 5)
  (export (rename let-5 let))
  (import (scheme base))
  (include "5.scm"))
