;; chibi's string library. A cursor is an index. string-find and string-skip
;; answer the end of the range where nothing is found, the -right ones its start;
;; where a check is wanted, a predicate or a character will do.
(define-library (chibi string)
  (export
   ;; cursors
   string-cursor? string-cursor-start string-cursor-end string-cursor-ref
   string-cursor<? string-cursor<=? string-cursor>? string-cursor>=?
   string-cursor=? string-cursor-next string-cursor-prev substring-cursor
   string-cursor->index string-index->cursor string-cursor-forward
   string-cursor-back
   ;; searching
   string-null? string-every string-any string-find string-find-right
   string-find? string-skip string-skip-right string-count string-contains
   string-contains-all make-string-searcher string-mismatch
   string-mismatch-right string-prefix? string-suffix?
   ;; making
   string-join string-split string-trim string-trim-left string-trim-right
   string-fold string-fold-right string-map string-for-each
   string-downcase-ascii string-upcase-ascii
   call-with-input-string call-with-output-string)
  (import (scheme base) (scheme char)
          (prefix (only (chibi-bridge string) string-contains string-index
                        string-skip string-index-right string-skip-right)
                  at:)
          (only (chibi-bridge string) string-null? string-every string-any
                string-count string-prefix? string-suffix? string-fold
                string-fold-right)
          (only (%core) call-with-output-string))
  (include "string.scm"))
