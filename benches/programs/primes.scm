;;; loops: sieve on a vector.
(define (sieve n)
  (let ((v (make-vector (+ n 1) #t)))
    (let loop ((i 2) (count 0))
      (if (> i n)
          count
          (if (vector-ref v i)
              (let mark ((j (* i i)))
                (if (<= j n)
                    (begin (vector-set! v j #f) (mark (+ j i)))
                    (loop (+ i 1) (+ count 1))))
              (loop (+ i 1) count))))))
(define (run) (sieve 600000))
(define expected 49098)
