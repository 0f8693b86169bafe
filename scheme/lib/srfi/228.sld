;; SRFI 228: composing comparators.
(define-library (srfi 228)
  (export make-wrapper-comparator make-product-comparator make-sum-comparator
          comparator-one comparator-zero)
  (import (scheme base) (srfi 128))
  (include "228.scm"))
