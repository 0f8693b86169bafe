;; Parser combinators and grammars, with chibi's names. A parser is a procedure
;; (parser source index success failure): source is a parse stream, index a place in it;
;; it goes on with (success result source index failure) or (failure source index reason).
(define-library (chibi parse)
  (export
   ;; grammars
   grammar grammar/unmemoized define-grammar define-grammar/unmemoized
   ;; running parsers
   call-with-parse parse parse-fully parse-fold parse->list parse-fully->list
   ;; streams
   make-parse-stream file->parse-stream string->parse-stream
   parse-stream-substring parse-stream-start? parse-stream-end?
   parse-stream-ref
   ;; combinators
   parse-anything parse-nothing parse-epsilon parse-seq parse-and parse-or
   parse-not parse-repeat parse-repeat+ parse-optional parse-map
   parse-map-substring parse-ignore parse-assert parse-atomic parse-commit
   parse-memoize parse-with-failure-reason
   ;; characters
   parse-char parse-not-char parse-char-pred parse-string parse-token parse-sre
   ;; places
   parse-beginning parse-end parse-beginning-of-line parse-end-of-line
   parse-beginning-of-word parse-end-of-word parse-word parse-word+)
  (import (scheme base) (scheme char) (scheme file)
          (only (srfi 14) char-set? char-set-contains?)
          (only (srfi 69) make-hash-table hash-table-ref/default
                hash-table-set!))
  (include "parse.scm"))
