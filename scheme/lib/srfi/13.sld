;; SRFI 13: string libraries, with the low-level procedures too. Where a
;; character set is wanted, a string of characters will do; substrings are not
;; shared. string-map and string-for-each take R7RS's further strings as well.
(define-library (srfi 13)
  (export
   ;; predicates
   string? string-null? string-every string-any
   ;; constructors
   make-string string string-tabulate string-unfold string-unfold-right
   ;; lists
   string->list list->string reverse-list->string string-join
   ;; selection
   string-length string-ref string-copy substring/shared string-copy!
   string-take string-take-right string-drop string-drop-right
   string-pad string-pad-right string-trim string-trim-right string-trim-both
   ;; modification
   string-set! string-fill!
   ;; comparison
   string-compare string-compare-ci
   string= string< string> string<= string>= string<>
   string-ci= string-ci< string-ci> string-ci<= string-ci>= string-ci<>
   (rename string-hash-13 string-hash) string-hash-ci
   ;; prefixes, suffixes
   string-prefix-length string-suffix-length
   string-prefix-length-ci string-suffix-length-ci
   string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
   ;; searching
   string-index string-index-right string-skip string-skip-right string-count
   string-contains string-contains-ci
   ;; case
   string-titlecase string-titlecase!
   (rename string-upcase-13 string-upcase) string-upcase!
   (rename string-downcase-13 string-downcase) string-downcase!
   ;; reversing, appending
   string-reverse string-reverse! string-append string-concatenate
   string-append/shared string-concatenate/shared string-concatenate-reverse
   string-concatenate-reverse/shared
   ;; folding, mapping
   (rename string-map-13 string-map) string-map! string-fold string-fold-right
   (rename string-for-each-13 string-for-each) string-for-each-index
   ;; replication, insertion, parsing, filtering
   xsubstring string-xcopy! string-replace string-tokenize string-filter
   string-delete
   ;; low level
   string-parse-start+end string-parse-final-start+end let-string-start+end
   check-substring-spec substring-spec-ok?
   make-kmp-restart-vector kmp-step string-kmp-partial-search)
  (import (scheme base) (scheme char) (chibi-bridge string)
          (only (srfi 128) string-hash))
  (include "13.scm"))
