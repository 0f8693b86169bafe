;; Small values that live as long as the session.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap kv)
  (export kv-get kv-set! kv-delete! cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite))
  (include "kv.scm"))
