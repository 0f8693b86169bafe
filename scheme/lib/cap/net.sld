;; Requests that the harness sends, to the hosts of the extension's manifest.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap net)
  (export net-request cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite)
          (only (tein json) json-object))
  (include "net.scm"))
