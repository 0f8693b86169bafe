;; R7RS-small: promises.
(define-library (scheme lazy)
  (export delay delay-force force make-promise promise?)
  (import (%core)))
