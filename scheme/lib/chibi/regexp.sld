;; SRFI 115 and chibi's additions, of linear time: references back and looking
;; around are errors, as are lists of submatches (*$).
(define-library (chibi regexp)
  (export
   ;; compiling
   regexp regexp? valid-sre? rx regexp->sre char-set->sre
   ;; searching
   regexp-matches regexp-matches? regexp-search regexp-fold regexp-extract
   regexp-split regexp-partition regexp-replace regexp-replace-all
   ;; matches
   regexp-match? regexp-match-count regexp-match-submatch
   regexp-match-submatch-start regexp-match-submatch-end regexp-match->list
   regexp-match->sexp)
  (import (scheme base) (scheme char) (chibi-bridge regexp)
          (chibi-bridge regexp sre)
          (only (srfi 14) char-set->string))
  (include "regexp.scm"))
