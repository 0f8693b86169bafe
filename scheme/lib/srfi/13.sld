;; SRFI 13: string libraries. Ranges, searching, joining; no char-sets (a
;; predicate, character or string stands for one), no shared substrings, no
;; Knuth-Morris-Pratt interface.
(define-library (srfi 13)
  (export
   string? string-null? string-every string-any
   make-string string string-tabulate string-unfold string-unfold-right
   string->list list->string reverse-list->string string-join
   string-length string-ref string-copy substring/shared
   string-copy! string-take string-take-right string-drop string-drop-right
   string-pad string-pad-right string-trim string-trim-right string-trim-both
   string-set! string-fill!
   string= string< string> string<= string>= string<>
   string-ci= string-ci< string-ci> string-ci<= string-ci>= string-ci<>
   string-prefix-length string-suffix-length
   string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
   string-index string-index-right string-skip string-skip-right string-count
   string-contains string-contains-ci
   string-titlecase string-upcase string-downcase
   string-reverse string-append string-concatenate string-concatenate-reverse
   string-map string-fold string-fold-right string-for-each
   string-for-each-index xsubstring string-replace string-tokenize
   string-filter string-delete)
  (import (scheme base) (scheme char) (chibi-bridge string))
  (include "13.scm"))
