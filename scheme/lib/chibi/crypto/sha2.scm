;;; (chibi crypto sha2), the body.

;; The first 32 bits of the fractions of the cube roots of the first 64 primes.
(define constants
  #(
   #x428a2f98 #x71374491 #xb5c0fbcf #xe9b5dba5 #x3956c25b #x59f111f1
   #x923f82a4 #xab1c5ed5 #xd807aa98 #x12835b01 #x243185be #x550c7dc3
   #x72be5d74 #x80deb1fe #x9bdc06a7 #xc19bf174 #xe49b69c1 #xefbe4786
   #x0fc19dc6 #x240ca1cc #x2de92c6f #x4a7484aa #x5cb0a9dc #x76f988da
   #x983e5152 #xa831c66d #xb00327c8 #xbf597fc7 #xc6e00bf3 #xd5a79147
   #x06ca6351 #x14292967 #x27b70a85 #x2e1b2138 #x4d2c6dfc #x53380d13
   #x650a7354 #x766a0abb #x81c2c92e #x92722c85 #xa2bfe8a1 #xa81a664b
   #xc24b8b70 #xc76c51a3 #xd192e819 #xd6990624 #xf40e3585 #x106aa070
   #x19a4c116 #x1e376c08 #x2748774c #x34b0bcb5 #x391c0cb3 #x4ed8aa4a
   #x5b9cca4f #x682e6ff3 #x748f82ee #x78a5636f #x84c87814 #x8cc70208
   #x90befffa #xa4506ceb #xbef9a3f7 #xc67178f2))

;; Those of the square roots of the first 8 primes.
(define start-256
  #(
   #x6a09e667 #xbb67ae85 #x3c6ef372 #xa54ff53a #x510e527f #x9b05688c
   #x1f83d9ab #x5be0cd19))

;; Bits 33 to 64 of those of the ninth to sixteenth prime.
(define start-224
  #(
   #xc1059ed8 #x367cd507 #x3070dd17 #xf70e5939 #xffc00b31 #x68581511
   #x64f98fa7 #xbefa4fa4))

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
