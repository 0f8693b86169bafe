;; SRFI 229: tagged procedures.
(define-library (srfi 229)
  (export case-lambda/tag lambda/tag procedure/tag? procedure-tag)
  (import (scheme base) (scheme case-lambda)
          (only (%core) %identity make-ephemeron ephemeron-key ephemeron-datum
                ephemeron-broken? %make-table %table-ref %table-set!
                %table-delete! %table-count %table-keys))
  (include "229.scm"))
