;; equiv?: equal?, which terminates on circular data anyway.
(define-library (chibi equiv)
  (export equiv?)
  (import (scheme base))
  (include "equiv.scm"))
