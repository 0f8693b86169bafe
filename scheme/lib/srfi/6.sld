;; SRFI 6: basic string ports, R7RS's.
(define-library (srfi 6)
  (export open-input-string open-output-string get-output-string)
  (import (only (scheme base)
                open-input-string open-output-string get-output-string)))
