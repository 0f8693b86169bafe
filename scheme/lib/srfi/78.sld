;; SRFI 78: lightweight testing. Of SRFI 42's qualifiers check-ec takes :range,
;; :integers, :list, :vector, :string, :let, : and nested, if, not, and, or,
;; begin; :integers goes on until a check fails.
(define-library (srfi 78)
  (export check check-ec check-report check-set-mode! check-reset!
          check-passed?)
  (import (scheme base) (scheme write))
  (include "78.scm"))
