(define-library (probe library)
  (export run)
  (import (scheme base) (ext) (counter))
  (begin
    (define (run args ctx)
      (json (count!)))))
