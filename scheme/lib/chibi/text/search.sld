;; Searching in texts that are edited, with chibi's names.
(define-library (chibi text search)
  (export text-search!)
  (import (scheme base) (chibi text base) (chibi text types)
          (only (chibi regexp) regexp regexp-search regexp-match-submatch-end))
  (include "search.scm"))
