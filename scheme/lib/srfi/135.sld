;; SRFI 135: immutable texts. A text is a part of a string that nobody else has,
;; so that a character and a subtext take constant time. Where a textual is
;; wanted, a string will do.
(define-library (srfi 135)
  (export
   ;; predicates
   text? textual? textual-null? textual-every textual-any
   ;; constructors
   make-text text text-tabulate text-unfold text-unfold-right
   ;; conversion
   textual->text textual->string textual->vector textual->list string->text
   vector->text list->text reverse-list->text textual->utf8 textual->utf16
   textual->utf16be textual->utf16le utf8->text utf16->text utf16be->text
   utf16le->text
   ;; selection
   text-length textual-length text-ref textual-ref subtext subtextual
   textual-copy textual-take textual-take-right textual-drop
   textual-drop-right textual-pad textual-pad-right textual-trim
   textual-trim-right textual-trim-both
   ;; replacement, comparison
   textual-replace textual=? textual<? textual>? textual<=? textual>=?
   textual-ci=? textual-ci<? textual-ci>? textual-ci<=? textual-ci>=?
   textual-prefix-length textual-suffix-length textual-prefix?
   textual-suffix?
   ;; searching
   textual-index textual-index-right textual-skip textual-skip-right
   textual-contains textual-contains-right
   ;; case, concatenation
   textual-upcase textual-downcase textual-foldcase textual-titlecase
   textual-append textual-concatenate textual-concatenate-reverse textual-join
   ;; fold, map and friends
   textual-fold textual-fold-right textual-map textual-for-each
   textual-map-index textual-for-each-index textual-count textual-filter
   textual-remove
   ;; replication, splitting
   textual-replicate textual-split)
  (import (scheme base) (scheme char)
          (only (srfi 129) string-titlecase)
          (prefix (srfi 152) s:))
  (include "135.scm"))
