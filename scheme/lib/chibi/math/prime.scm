;;; (chibi math prime), the body.

(define (check-positive who n)
  (if (not (and (exact-integer? n) (> n 0)))
      (error (string-append who ": not a positive integer") n)))

;;> (coprime? a b)
;;> Is 1 the greatest common divisor? (coprime? 9 10) => #t
(define (coprime? a b) (= 1 (gcd a b)))

;;> (modular-inverse a m)
;;> Return x from 0 up to M with a*x = 1 modulo M. (modular-inverse 3 10) => 7
(define (modular-inverse a m)
  (let loop ((r m) (next-r (modulo a m)) (x 0) (next-x 1))
    (cond ((= next-r 0)
           (if (= r 1)
               (modulo x m)
               (error "modular-inverse: there is none" a m)))
          (else
           (let ((q (quotient r next-r)))
             (loop next-r (- r (* q next-r)) next-x (- x (* q next-x))))))))

;;> (modular-expt base exponent m)
;;> Return BASE to the power of EXPONENT modulo M. (modular-expt 3 4 10) => 1
(define (modular-expt base exponent m)
  (let loop ((base (modulo base m)) (exponent exponent) (out (modulo 1 m)))
    (if (= exponent 0)
        out
        (loop (modulo (* base base) m)
              (arithmetic-shift exponent -1)
              (if (odd? exponent) (modulo (* out base) m) out)))))

;; -- Miller and Rabin -------------------------------------------------------

;; Does BASE prove that N = 2^S * D + 1 is composite?
(define (witness? base n s d)
  (let ((x (modular-expt base d n)))
    (and (not (= x 1))
         (let loop ((x x) (i 0))
           (cond ((= x (- n 1)) #f)
                 ((= i (- s 1)) #t)
                 (else (loop (modulo (* x x) n) (+ i 1))))))))

;; Calls (f s d) with N = 2^s * d + 1 and d odd.
(define (with-twos n f)
  (let loop ((s 0) (d (- n 1)))
    (if (even? d) (loop (+ s 1) (quotient d 2)) (f s d))))

(define small-primes '(2 3 5 7 11 13 17 19 23 29 31 37 41))

;; With these bases the test is exact below this number.
(define certain-below 3317044064679887385961981)

;;> (miller-rabin-composite? n [rounds])
;;> Is N, odd and above 2, proved composite by a random base, in at most ROUNDS
;;> (16) tries?
(define (miller-rabin-composite? n . rounds)
  (with-twos n
    (lambda (s d)
      (let loop ((k (if (pair? rounds) (car rounds) 16)))
        (and (> k 0)
             (or (witness? (+ 2 (random-integer (max 1 (- n 3)))) n s d)
                 (loop (- k 1))))))))

;; #t, #f, or 'perhaps where only Miller and Rabin can tell.
(define (small-answer n)
  (if (< n 2)
      #f
      (let loop ((primes small-primes))
        (cond ((null? primes) (if (< n 1849) #t 'perhaps))
              ((= n (car primes)) #t)
              ((= 0 (remainder n (car primes))) #f)
              (else (loop (cdr primes)))))))

(define (passes-fixed-bases? n)
  (with-twos n
    (lambda (s d)
      (let loop ((bases small-primes))
        (or (null? bases)
            (and (not (witness? (car bases) n s d))
                 (loop (cdr bases))))))))

;;> (provable-prime? n)
;;> Is N prime? Beyond 3317044064679887385961981 this divides by all numbers up to
;;> the root, in time beyond all bounds. (provable-prime? 97) => #t
(define (provable-prime? n)
  (let ((answer (small-answer n)))
    (cond ((boolean? answer) answer)
          ((not (passes-fixed-bases? n)) #f)
          ((< n certain-below) #t)
          (else
           (let ((root (exact-integer-sqrt n)))
             (let loop ((d 43))
               (cond ((> d root) #t)
                     ((= 0 (remainder n d)) #f)
                     (else (loop (+ d 2))))))))))

;;> (probable-prime? n)
;;> Is N prime? Beyond 3317044064679887385961981 the answer #t is wrong with a
;;> probability below 2^-64. (probable-prime? 4611686020149081683) => #t
(define (probable-prime? n)
  (let ((answer (small-answer n)))
    (if (boolean? answer)
        answer
        (and (passes-fixed-bases? n)
             (or (< n certain-below)
                 (not (miller-rabin-composite? n 32)))))))

;;> (prime? n)
;;> Is N prime? (prime? 91) => #f
(define (prime? n) (probable-prime? n))

;; -- in order ---------------------------------------------------------------

;;> (nth-prime i)
;;> Return prime number I, counted from 0. (nth-prime 4) => 11
(define (nth-prime i)
  (let loop ((i i) (prime 2))
    (if (= i 0) prime (loop (- i 1) (prime-above prime)))))

;;> (prime-above n)
;;> Return the first prime above N. (prime-above 888) => 907
(define (prime-above n)
  (if (< n 2)
      2
      (let loop ((k (if (even? n) (+ n 1) (+ n 2))))
        (if (prime? k) k (loop (+ k 2))))))

;;> (prime-below n)
;;> Return the last prime below N, or #f. (prime-below 808) => 797
(define (prime-below n)
  (cond ((<= n 2) #f)
        ((= n 3) 2)
        (else
         (let loop ((k (if (even? n) (- n 1) (- n 2))))
           (if (prime? k) k (loop (- k 2)))))))

;;> (random-prime low high)
;;> Return a random prime from LOW up to HIGH.
(define (random-prime low high)
  (let loop ((tries (* 100 (+ 1 (integer-length high)))))
    (let ((n (+ low (random-integer (- high low)))))
      (cond ((prime? n) n)
            ((> tries 0) (loop (- tries 1)))
            (else (first-prime low high))))))

(define (first-prime low high)
  (let ((prime (prime-above (- low 1))))
    (if (< prime high)
        prime
        (error "random-prime: there is none" low high))))

;;> (random-prime-distinct-from low high prime)
;;> Return a random prime from LOW up to HIGH that is not PRIME.
(define (random-prime-distinct-from low high prime)
  (let ((found (random-prime low high)))
    (if (= found prime)
        (random-prime-distinct-from low high prime)
        found)))

;;> (random-coprime n)
;;> Return a random number from 2 up to N that is coprime to N.
(define (random-coprime n)
  (let ((k (+ 2 (random-integer (- n 2)))))
    (if (coprime? k n) k (random-coprime n))))

;; -- factors ----------------------------------------------------------------

;; A proper factor of the composite odd N, by Pollard's method with Floyd's way
;; of finding cycles.
(define (some-factor n)
  (let try ((c 1))
    (define (step x) (modulo (+ (* x x) c) n))
    (let loop ((slow 2) (fast (step 2)))
      (let ((d (gcd (- slow fast) n)))
        (cond ((= d 1) (loop (step slow) (step (step fast))))
              ((= d n) (try (+ c 1)))
              (else d))))))

;; The prime factors of N, in no order, in front of OUT.
(define (add-factors n out)
  (cond ((= n 1) out)
        ((prime? n) (cons n out))
        (else
         (let ((d (let loop ((primes small-primes))
                    (cond ((null? primes) (some-factor n))
                          ((= 0 (remainder n (car primes))) (car primes))
                          (else (loop (cdr primes)))))))
           (add-factors d (add-factors (quotient n d) out))))))

(define (insert n sorted)
  (if (or (null? sorted) (<= n (car sorted)))
      (cons n sorted)
      (cons (car sorted) (insert n (cdr sorted)))))

;;> (factor n)
;;> Return the list of N's prime factors in order. (factor 12) => (2 2 3)
(define (factor n)
  (check-positive "factor" n)
  (let loop ((factors (add-factors n '())) (out '()))
    (if (null? factors)
        out
        (loop (cdr factors) (insert (car factors) out)))))

;;> (factor-alist n)
;;> Return N's prime factors, each with its multiplicity.
;;> (factor-alist 12) => ((2 . 2) (3 . 1))
(define (factor-alist n)
  (let loop ((factors (factor n)) (out '()))
    (cond ((null? factors) (reverse out))
          ((and (pair? out) (= (car factors) (caar out)))
           (loop (cdr factors)
                 (cons (cons (caar out) (+ 1 (cdar out))) (cdr out))))
          (else (loop (cdr factors) (cons (cons (car factors) 1) out))))))

;;> (totient n)
;;> Return how many numbers up to N are coprime to N. (totient 10) => 4
(define (totient n)
  (let loop ((factors (factor-alist n)) (out 1))
    (if (null? factors)
        out
        (let ((p (caar factors)) (k (cdar factors)))
          (loop (cdr factors) (* out (- p 1) (expt p (- k 1))))))))

;;> (aliquot n)
;;> Return the sum of N's divisors less than N. (aliquot 12) => 16
(define (aliquot n)
  (let loop ((factors (factor-alist n)) (sum 1))
    (if (null? factors)
        (- sum n)
        (let ((p (caar factors)) (k (cdar factors)))
          (loop (cdr factors)
                (* sum (quotient (- (expt p (+ k 1)) 1) (- p 1))))))))

;;> (perfect? n)
;;> Is N the sum of its divisors less than N? (perfect? 28) => #t
(define (perfect? n) (and (> n 1) (= n (aliquot n))))
