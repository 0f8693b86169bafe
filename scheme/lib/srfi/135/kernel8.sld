;; The kernel of the texts of (srfi 135), with chibi's names.
(define-library (srfi 135 kernel8)
  (export
   complain text-rtd %new-text text.k text.chunks
   %text-length %text-ref %string->text N the-empty-text
   text? text-tabulate text-length text-ref subtext textual-concatenate)
  (import (scheme base) (srfi 135) (only (%core) %record-type))
  (include "kernel8.scm"))
