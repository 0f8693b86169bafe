;; => (20000 13)
(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
(define (ack m n) (cond ((= m 0) (+ n 1)) ((= n 0) (ack (- m 1) 1)) (else (ack (- m 1) (ack m (- n 1))))))
(list (count 20000) (ack 2 5))
