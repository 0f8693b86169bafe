;; Files, which the harness reads and writes.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap fs)
  (export fs-read fs-write fs-list fs-edit cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite)
          (only (tein json) json-object))
  (include "fs.scm"))
