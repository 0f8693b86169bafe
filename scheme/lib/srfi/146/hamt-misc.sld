;; Odds and ends of the hash array mapped tries, with chibi's names.
(define-library (srfi 146 hamt-misc)
  (export assert do-list make-string-hash-table with-output-to-string)
  (import (scheme base)
          (only (srfi 125) make-hash-table)
          (only (srfi 128) make-comparator string-hash))
  (include "hamt-misc.scm"))
