;; Regular expressions of linear time, patterns in Rust's syntax. A match is a
;; vector of groups, the whole match first; a group is #(text start end), or #f if
;; it took no part. Deviations from tein: positions are those of characters, a
;; pattern that prefers a shorter alternative can match the whole text, errors are
;; raised and not returned.
(define-library (tein safe-regexp)
  (export regexp regexp? regexp-search regexp-search-from regexp-matches
          regexp-matches? regexp-replace regexp-replace-all regexp-split
          regexp-extract regexp-fold regexp-match-count regexp-match-submatch
          regexp-match->list)
  (import (scheme base) (scheme char) (chibi-bridge regexp)
          (chibi-bridge regexp pattern))
  (include "safe-regexp.scm"))
