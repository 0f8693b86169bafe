;;; (chibi crypto sha2), the body.

;; The first N prime numbers.
(define (primes n)
  (let loop ((k 2) (out '()))
    (cond ((= (length out) n) (reverse out))
          ((let prime? ((rest out))
             (or (null? rest)
                 (and (not (= 0 (remainder k (car rest)))) (prime? (cdr rest)))))
           (loop (+ k 1) (cons k out)))
          (else (loop (+ k 1) out)))))

;; The whole part of the DEGREEth root of N.
(define (root n degree)
  (let loop ((low 0) (high n))
    (if (= low high)
        low
        (let ((middle (quotient (+ low high 1) 2)))
          (if (<= (expt middle degree) n)
              (loop middle high)
              (loop low (- middle 1)))))))

;; BITS bits of the fraction of a root of N, LENGTH of them behind the point.
(define (root-bits n degree length)
  (- (root (* n (expt 2 (* degree length))) degree)
     (* (root n degree) (expt 2 length))))

(define constants
  (list->vector (map (lambda (p) (root-bits p 3 32)) (primes 64))))

(define start-256
  (list->vector (map (lambda (p) (root-bits p 2 32)) (primes 8))))

;; Those of the ninth to sixteenth prime: the second half of 64 bits.
(define start-224
  (list->vector (map (lambda (p) (word32 (root-bits p 2 64)))
                     (list-tail (primes 16) 8))))

(define (mix-rotations n a b c)
  (bitwise-xor (rotate-right32 n a) (rotate-right32 n b) c))

;; The 64 words that the block at START is spread to.
(define (schedule bytes start)
  (let ((words (make-vector 64)))
    (do ((i 0 (+ i 1))) ((= i 16))
      (vector-set! words i (bytevector-u32-ref-be bytes (+ start (* 4 i)))))
    (do ((i 16 (+ i 1))) ((= i 64) words)
      (let ((x (vector-ref words (- i 15)))
            (y (vector-ref words (- i 2))))
        (vector-set! words i
                     (word32
                      (+ (vector-ref words (- i 16))
                         (mix-rotations x 7 18 (arithmetic-shift x -3))
                         (vector-ref words (- i 7))
                         (mix-rotations y 17 19 (arithmetic-shift y -10)))))))))

(define (step state bytes start)
  (let ((words (schedule bytes start)))
    (let loop ((i 0)
               (a (vector-ref state 0)) (b (vector-ref state 1))
               (c (vector-ref state 2)) (d (vector-ref state 3))
               (e (vector-ref state 4)) (f (vector-ref state 5))
               (g (vector-ref state 6)) (h (vector-ref state 7)))
      (if (= i 64)
          (vector-map (lambda (x y) (word32 (+ x y)))
                      state (vector a b c d e f g h))
          (let ((one (+ h (mix-rotations e 6 11 (rotate-right32 e 25))
                        (bitwise-xor (bitwise-and e f)
                                     (bitwise-and (bitwise-not e) g))
                        (vector-ref constants i) (vector-ref words i)))
                (two (+ (mix-rotations a 2 13 (rotate-right32 a 22))
                        (bitwise-xor (bitwise-and a b) (bitwise-and a c)
                                     (bitwise-and b c)))))
            (loop (+ i 1) (word32 (+ one two)) a b c (word32 (+ d one))
                  e f g))))))

(define (set-length! bytes start bits)
  (bytevector-u32-set-be! bytes start (arithmetic-shift bits -32))
  (bytevector-u32-set-be! bytes (+ start 4) (word32 bits)))

;; The first COUNT words of the digest in hexadecimal.
(define (digest source start count)
  (let ((state (digest-fold step start (digest-source source) set-length!))
        (out (make-bytevector (* 4 count))))
    (do ((i 0 (+ i 1))) ((= i count) (bytevector->hex-string out))
      (bytevector-u32-set-be! out (* 4 i) (vector-ref state i)))))

;;> (sha-224 source)
;;> Return the SHA-224 digest of a string (as UTF-8), a bytevector or what a port
;;> reads, in hexadecimal. (string-length (sha-224 "abc")) => 56
(define (sha-224 source) (digest source start-224 7))

;;> (sha-256 source)
;;> Return the SHA-256 digest of a string (as UTF-8), a bytevector or what a port
;;> reads, in hexadecimal. (string-length (sha-256 "abc")) => 64
(define (sha-256 source) (digest source start-256 8))
