;; SRFI 159: formatting with combinators, which became SRFI 166. The state variables,
;; which SRFI 159 knows by their names alone, are exported too.
(define-library (srfi 159 base)
  (export
   show fn (rename forked fn-fork) with with! each each-in-list
   call-with-output displayed written written-shared written-simply numeric
   numeric/comma numeric/si numeric/fitted nothing nl fl space-to tab-to
   escaped maybe-escaped padded (rename padded padded/left) padded/right
   padded/both trimmed (rename trimmed trimmed/left) trimmed/right
   trimmed/both trimmed/lazy fitted (rename fitted fitted/left) fitted/right
   fitted/both joined joined/prefix joined/suffix joined/last joined/dot
   joined/range upcased downcased
   ;; state variables
   port row col width output writer string-width pad-char ellipsis radix
   precision decimal-sep decimal-align)
  (import (srfi 166 base)))
