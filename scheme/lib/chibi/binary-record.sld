;; Records that are read from bytes and written as bytes, with chibi's names.
(define-library (chibi binary-record)
  (export define-binary-record-type)
  (import (scheme base) (only (%core) arithmetic-shift bitwise-and))
  (include "binary-record.scm"))
