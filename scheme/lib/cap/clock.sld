;; Waiting. There is no time to read.
;; A denial raises a condition with a cap-error-code, a string.
(define-library (cap clock)
  (export sleep cap-error? cap-error-code cap-error-message)
  (import (scheme base) (chibi-bridge satellite)
          (only (%core) %host-call))
  (include "clock.scm"))
