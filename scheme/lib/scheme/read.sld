;; R7RS-small: the datum reader.
(define-library (scheme read)
  (export read)
  (import (%core)))
