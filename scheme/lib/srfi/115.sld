;; SRFI 115: regular expressions, of linear time. References back and looking
;; around are errors.
(define-library (srfi 115)
  (export
   ;; compiling
   regexp regexp? valid-sre? rx regexp->sre char-set->sre
   ;; searching
   regexp-matches regexp-matches? regexp-search regexp-fold regexp-extract
   regexp-split regexp-partition regexp-replace regexp-replace-all
   ;; matches
   regexp-match? regexp-match-count regexp-match-submatch
   regexp-match-submatch-start regexp-match-submatch-end regexp-match->list)
  (import (chibi regexp)))
