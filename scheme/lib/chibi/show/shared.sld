;; Finding what a datum shares with itself, with chibi's names.
(define-library (chibi show shared)
  (export extract-shared-objects call-with-shared-ref call-with-shared-ref/cdr)
  (import (scheme base)
          (only (srfi 69) make-hash-table hash-table-ref/default
                hash-table-set! hash-table-delete!
                hash-table-update!/default hash-table-walk))
  (include "shared.scm"))
