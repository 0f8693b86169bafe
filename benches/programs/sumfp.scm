;;; floats: a sum in a loop.
(define (run)
  (let loop ((i 1000000.0) (n 0.0))
    (if (< i 0.0) n (loop (- i 1.0) (+ i n)))))
(define expected 500000500000.0)
