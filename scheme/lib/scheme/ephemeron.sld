;; R7RS-large: ephemerons, those of (srfi 124).
(define-library (scheme ephemeron)
  (export make-ephemeron ephemeron? ephemeron-key ephemeron-datum
          ephemeron-broken? reference-barrier)
  (import (srfi 124)))
