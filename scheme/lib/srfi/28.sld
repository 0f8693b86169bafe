;; SRFI 28: basic format strings. It is SRFI 48's format, which has a destination
;; and more directives besides.
(define-library (srfi 28)
  (export format)
  (import (chibi-bridge format)))
