;; SRFI 46: syntax-rules with an ellipsis of one's own and tail patterns, which
;; R7RS's has; nested ellipses follow.
(define-library (srfi 46)
  (export syntax-rules ... _)
  (import (only (scheme base) syntax-rules ... _)))
