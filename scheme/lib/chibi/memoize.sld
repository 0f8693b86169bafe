;; Procedures that remember their results, over a cache that forgets what was
;; longest unused. Results are kept in memory alone: there is no memoize-to-file.
(define-library (chibi memoize)
  (export define-memoized memoize make-lru-cache lru-cache? lru-ref lru-ref!
          lru-set! hash-table-ref!)
  (import (scheme base) (only (chibi optional) keyword-ref)
          (only (chibi-bridge hash-table) make-hash-table hash-table-ref/default
                hash-table-set! hash-table-delete! hash-table-size
                hash-table-intern!))
  (include "memoize.scm"))
