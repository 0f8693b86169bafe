;; SRFI 45: iterative lazy algorithms, R7RS's promises: lazy is delay-force and
;; eager make-promise for any value.
(define-library (srfi 45)
  (export delay lazy force eager)
  (import (scheme base) (scheme lazy))
  (begin
    ;;> (lazy expression)
    ;;> Delay EXPRESSION, whose value is a promise that is forced in its place,
    ;;> in constant space. (force (lazy (delay 3))) => 3
    (define-syntax lazy
      (syntax-rules ()
        ((_ expression) (delay-force expression))))

    ;;> (eager object)
    ;;> Return a promise of OBJECT, forced already. (force (eager 3)) => 3
    (define (eager object) (delay object))))
