(import (chibi-bridge property))

(define (duplicates words)
  (run-tool "find_duplicates" (list (cons "words" words))))

(define-property order-does-not-matter
  (for-all (words (list-of (string-of "abc" 0 2))))
  (equal? (duplicates words) (duplicates (list-sort string<? words))))
