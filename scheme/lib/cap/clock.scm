;;; (cap clock), the body.

(define (milliseconds? object) (and (real? object) (>= object 0)))

;;> (sleep milliseconds)
;;> Wait; the invocation's deadline goes on.
(define (sleep milliseconds)
  (check-argument 'sleep 0 milliseconds? "number of milliseconds"
                  milliseconds)
  (%host-call 'sleep (/ milliseconds 1000.0))
  (if #f #f))
