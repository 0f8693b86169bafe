;;; calls: Ackermann's function, deep non-tail recursion.
(define (ack m n)
  (cond ((= m 0) (+ n 1))
        ((= n 0) (ack (- m 1) 1))
        (else (ack (- m 1) (ack m (- n 1))))))
(define (run) (ack 2 700) (ack 3 7))
(define expected 1021)
