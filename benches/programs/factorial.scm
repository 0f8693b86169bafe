;;; bignum: multiplication and conversion to text.
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(define (run)
  (do ((i 0 (+ i 1)) (r 0 (string-length (number->string (fact 1000))))) ((= i 20) r)))
(define expected 2568)
