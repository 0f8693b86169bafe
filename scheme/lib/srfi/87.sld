;; SRFI 87: => in case clauses, R7RS's case.
(define-library (srfi 87)
  (export case else =>)
  (import (only (scheme base) case else =>)))
