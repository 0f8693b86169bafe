(import (scheme base) (ext hook) (counter))

(define (on-event)
  (on-session-start (lambda (document) (count!))))
