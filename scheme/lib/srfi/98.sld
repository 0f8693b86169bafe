;; SRFI 98: environment variables, as the host grants them.
(define-library (srfi 98)
  (export get-environment-variable get-environment-variables)
  (import (only (scheme process-context)
                get-environment-variable get-environment-variables)))
