;;; calls: Takeuchi's function.
(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))
(define (run)
  (do ((i 0 (+ i 1)) (r 0 (tak 18 12 6))) ((= i 8) r)))
(define expected 7)
