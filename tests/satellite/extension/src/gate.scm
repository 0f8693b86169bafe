(import (scheme base) (ext hook))

(define (on-event)
  (on-tool-call
   (lambda (call)
     (if (equal? (cdr (assoc "tool" call)) "bash")
         (block "no shells today")
         allow))))
