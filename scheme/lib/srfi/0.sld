;; SRFI 0: cond-expand, R7RS's. The features srfi-N name the SRFIs that can be
;; imported; (library (srfi N)) asks the same of a library.
(define-library (srfi 0)
  (export cond-expand)
  (import (only (scheme base) cond-expand)))
