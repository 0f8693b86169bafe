;; The environment monad, with chibi's names.
(define-library (chibi monad environment)
  (export define-environment-monad)
  (import (scheme base))
  (include "environment.scm"))
