;; SRFI 124: ephemerons, the engine's.
(define-library (srfi 124)
  (export make-ephemeron ephemeron? ephemeron-key ephemeron-datum
          ephemeron-broken? reference-barrier)
  (import (scheme base)
          (only (%core) make-ephemeron ephemeron? ephemeron-key
                ephemeron-datum ephemeron-broken?))
  (begin
    (define held #f)

    ;;> (reference-barrier key)
    ;;> Keep KEY alive up to here.
    (define (reference-barrier key)
      (set! held key)
      (set! held #f))))
