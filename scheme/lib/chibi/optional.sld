;; Optional and keyword arguments. A keyword is a symbol that ends in a colon.
(define-library (chibi optional)
  (export let-optionals let-optionals* opt-lambda opt-lambda* define-opt
          define-opt* let-keywords let-keywords* keyword-ref keyword-ref*)
  (import (scheme base))
  (include "optional.scm"))
