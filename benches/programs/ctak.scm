;;; call/cc: tak where every return goes through a continuation.
(define (ctak x y z)
  (call-with-current-continuation (lambda (k) (step k x y z))))
(define (step k x y z)
  (if (not (< y x))
      (k z)
      (call-with-current-continuation
       (lambda (k)
         (step k
               (call-with-current-continuation (lambda (k) (step k (- x 1) y z)))
               (call-with-current-continuation (lambda (k) (step k (- y 1) z x)))
               (call-with-current-continuation (lambda (k) (step k (- z 1) x y))))))))
(define (run) (ctak 16 10 5))
(define expected 6)
