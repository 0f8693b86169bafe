;;; bignum: digits of pi by Machin's formula.
(define (arctan-inverse x unity)
  (let loop ((power (quotient unity x)) (n 1) (sum 0) (sign 1))
    (if (= power 0)
        sum
        (loop (quotient power (* x x)) (+ n 2) (+ sum (* sign (quotient power n))) (- sign)))))
(define (pi-digits n)
  (let ((unity (expt 10 (+ n 10))))
    (quotient (* 4 (- (* 4 (arctan-inverse 5 unity)) (arctan-inverse 239 unity))) (expt 10 10))))
(define (run) (modulo (pi-digits 2000) 1000000))
(define expected 759009)
