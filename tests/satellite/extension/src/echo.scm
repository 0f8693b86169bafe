(import (scheme base) (ext))

(define (run args ctx)
  (text (cdr (assq 'say (decode-args args '((say string)))))))
