;; R7RS-small: evaluation of a file's text, which the host reads.
(define-library (scheme load)
  (export load)
  (import (%core)))
