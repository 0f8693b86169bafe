;; Results that the harness keeps beside a tool's answer.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap report)
  (export report-emit cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite))
  (include "report.scm"))
