;; SRFI 129: titlecase.
(define-library (srfi 129)
  (export char-title-case? char-titlecase string-titlecase)
  (import (scheme base) (scheme char))
  (include "129.scm"))
