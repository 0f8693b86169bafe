;; R7RS-large: boxes, those of (srfi 111).
(define-library (scheme box)
  (export box box? unbox set-box!)
  (import (srfi 111)))
