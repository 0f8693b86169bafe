;; R7RS-small: procedures with several argument lists.
(define-library (scheme case-lambda)
  (export case-lambda)
  (import (%core)))
