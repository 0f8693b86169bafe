;; R7RS-large: regular expressions, those of (srfi 115).
(define-library (scheme regex)
  (export
   ;; compiling
   regexp regexp? valid-sre? rx regexp->sre char-set->sre
   ;; searching
   regexp-matches regexp-matches? regexp-search regexp-fold regexp-extract
   regexp-split regexp-partition regexp-replace regexp-replace-all
   ;; matches
   regexp-match? regexp-match-count regexp-match-submatch
   regexp-match-submatch-start regexp-match-submatch-end regexp-match->list)
  (import (srfi 115)))
