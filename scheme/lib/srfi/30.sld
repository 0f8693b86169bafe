;; SRFI 30: nested comments #| ... |#, which the reader knows everywhere. The
;; library is there to be imported; it has nothing to export.
(define-library (srfi 30)
  (export)
  (import (only (scheme base))))
