;; The basic formatters, those of (srfi 166 base).
(define-library (chibi show base)
  (export
   show displayed written written-shared written-simply escaped
   maybe-escaped numeric numeric/comma numeric/si numeric/fitted nl fl
   space-to tab-to nothing each each-in-list joined joined/prefix
   joined/suffix joined/last joined/dot joined/range padded padded/right
   padded/both trimmed trimmed/right trimmed/both trimmed/lazy fitted
   fitted/right fitted/both output-default upcased downcased fn with with!
   forked call-with-output make-state-variable port row col width output
   writer string-width pad-char ellipsis radix precision decimal-sep
   decimal-align sign-rule comma-sep comma-rule word-separator?
   ambiguous-is-wide?
   (rename forked fn-fork))
  (import (srfi 166 base)))
