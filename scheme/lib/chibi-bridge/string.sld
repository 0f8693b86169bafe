;; Strings by index: what SRFI 13, 130 and 152 have in common. Where a SRFI
;; wants a predicate, a character, a character set or a string (of the characters
;; that are meant) will do.
(define-library (chibi-bridge string)
  (export
   string-null? string-every string-any
   string-tabulate string-unfold string-unfold-right reverse-list->string
   string-take string-drop string-take-right string-drop-right
   string-pad string-pad-left string-pad-right
   string-trim string-trim-left string-trim-right string-trim-both
   string-replace string-prefix-length string-suffix-length
   string-prefix-length-ci string-suffix-length-ci
   string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
   string-index string-index-right string-skip string-skip-right
   string-contains string-contains-right string-contains-ci
   string-reverse string-concatenate string-concatenate-reverse string-join
   string-split string-fold string-fold-right string-count
   string-filter string-remove string-for-each-index string-map-index
   string-replicate string-titlecase string-take-while
   string-take-while-right string-drop-while string-drop-while-right
   string-span string-break string-segment)
  (import (scheme base) (scheme char)
          (only (srfi 14) char-set? char-set-contains?)
          (only (srfi 129) char-titlecase)
          (only (%core) %string-search-forward))
  (include "string.scm"))
