;; Ephemerons and weak vectors.
(define-library (chibi weak)
  (export make-ephemeron ephemeron? ephemeron-broken? ephemeron-key
          ephemeron-value make-weak-vector weak-vector? weak-vector-length
          weak-vector-ref weak-vector-set!)
  (import (scheme base)
          (rename (only (%core) make-ephemeron ephemeron? ephemeron-broken?
                        ephemeron-key ephemeron-datum)
                  (ephemeron-datum ephemeron-value)))
  (include "weak.scm"))
