;; R7RS-large: formatters, those of (srfi 166).
(define-library (scheme show)
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
   ambiguous-is-wide? pretty pretty-shared pretty-simply pretty-color
   columnar tabular wrapped wrapped/list wrapped/char justified from-file
   line-numbers show-columns as-unicode unicode-terminal-width
   unicode-terminal-width/wide as-red as-blue as-green as-cyan as-yellow
   as-magenta as-white as-black as-bold as-underline as-color as-true-color
   on-red on-blue on-green on-cyan on-yellow on-magenta on-white on-black
   on-color on-true-color)
  (import (srfi 166)))
