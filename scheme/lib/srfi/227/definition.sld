;; SRFI 227: the defining forms.
(define-library (srfi 227 definition)
  (export define-optionals define-optionals*)
  (import (scheme base) (srfi 227))
  (include "definition.scm"))
