(import (scheme base) (ext hook))

(define (on-event)
  (on-before-agent-start
   (lambda (document) (cdr (assoc "strand" document)))))
