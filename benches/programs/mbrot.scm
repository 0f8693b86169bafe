;;; floats: points of the Mandelbrot set.
(define (escape cr ci)
  (let loop ((zr cr) (zi ci) (n 0))
    (if (= n 64)
        n
        (let ((zr2 (* zr zr)) (zi2 (* zi zi)))
          (if (> (+ zr2 zi2) 4.0)
              n
              (loop (+ (- zr2 zi2) cr) (+ (* 2.0 zr zi) ci) (+ n 1)))))))
(define (run)
  (let rows ((y 0) (inside 0))
    (if (= y 75)
        inside
        (rows (+ y 1)
              (let columns ((x 0) (inside inside))
                (if (= x 75)
                    inside
                    (columns (+ x 1)
                             (if (= 64 (escape (+ -1.5 (* x 0.025)) (+ -1.0 (* y 0.025))))
                                 (+ inside 1)
                                 inside))))))))
(define expected 2486)
