;; SRFI 166: formatters, the basic ones. A formatter is a procedure of a state; the
;; state holds the values of state variables, which forms bind and change. A user
;; makes further state variables with make-state-variable.
(define-library (srfi 166 base)
  (export
   ;; basic
   show displayed written written-shared written-simply escaped maybe-escaped
   numeric numeric/comma numeric/si numeric/fitted nl fl space-to tab-to
   nothing each each-in-list joined joined/prefix joined/suffix joined/last
   joined/dot joined/range padded padded/right padded/both trimmed
   trimmed/right trimmed/both trimmed/lazy fitted fitted/right fitted/both
   output-default upcased downcased
   ;; computations
   fn with with! forked call-with-output make-state-variable
   ;; state variables
   port row col width output writer string-width pad-char ellipsis radix
   precision decimal-sep decimal-align sign-rule comma-sep comma-rule
   word-separator? ambiguous-is-wide?)
  (import (scheme base) (scheme char) (scheme complex) (scheme inexact)
          (scheme write))
  (include "state.scm" "base.scm" "number.scm"))
