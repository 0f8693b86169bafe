;; Commands, which the harness runs.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap proc)
  (export proc-run cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite)
          (only (tein json) json-object))
  (include "proc.scm"))
