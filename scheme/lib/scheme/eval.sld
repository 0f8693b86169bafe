;; R7RS-small: evaluation in an environment made of import sets.
(define-library (scheme eval)
  (export environment eval)
  (import (%core)))
