;; Temporary files, under chibi's names: not available.
(define-library (chibi temp-file)
  (export
   call-with-temp-file call-with-temp-dir)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable temporary-files
      call-with-temp-file call-with-temp-dir)))
