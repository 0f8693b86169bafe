;; SRFI 227: optional arguments. More arguments than parameters are an error.
(define-library (srfi 227)
  (export opt-lambda opt*-lambda let-optionals let-optionals*)
  (import (scheme base) (prefix (only (chibi optional) let-optionals
                                      let-optionals*)
                                chibi:))
  (include "227.scm"))
