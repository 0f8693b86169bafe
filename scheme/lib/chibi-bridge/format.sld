;; Formatted output: one procedure for SRFI 28 and SRFI 48.
(define-library (chibi-bridge format)
  (export format fixed-point)
  (import (scheme base) (scheme char) (scheme complex) (scheme inexact)
          (scheme write))
  (include "format.scm"))
