;;; (chibi crypto md5), the body.

;; The whole parts of 2^32 times the absolute sines of 1 to 64.
(define sines
  #(
   3614090360 3905402710 606105819 3250441966 4118548399 1200080426
   2821735955 4249261313 1770035416 2336552879 4294925233 2304563134
   1804603682 4254626195 2792965006 1236535329 4129170786 3225465664
   643717713 3921069994 3593408605 38016083 3634488961 3889429448 568446438
   3275163606 4107603335 1163531501 2850285829 4243563512 1735328473
   2368359562 4294588738 2272392833 1839030562 4259657740 2763975236
   1272893353 4139469664 3200236656 681279174 3936430074 3572445317 76029189
   3654602809 3873151461 530742520 3299628645 4096336452 1126891415
   2878612391 4237533241 1700485571 2399980690 4293915773 2240044497
   1873313359 4264355552 2734768916 1309151649 4149444226 3174756917
   718787259 3951481745))

(define shifts
  #(7 12 17 22 5 9 14 20 4 11 16 23 6 10 15 21))

(define (shift i)
  (vector-ref shifts (+ (* 4 (quotient i 16)) (remainder i 4))))

(define (mix i b c d)
  (case (quotient i 16)
    ((0) (bitwise-ior (bitwise-and b c) (bitwise-and (bitwise-not b) d)))
    ((1) (bitwise-ior (bitwise-and d b) (bitwise-and (bitwise-not d) c)))
    ((2) (bitwise-xor b c d))
    (else (bitwise-xor c (bitwise-ior b (word32 (bitwise-not d)))))))

;; Which word of the block step I takes.
(define (word-index i)
  (case (quotient i 16)
    ((0) i)
    ((1) (remainder (+ 1 (* 5 i)) 16))
    ((2) (remainder (+ 5 (* 3 i)) 16))
    (else (remainder (* 7 i) 16))))

(define (step state bytes start)
  (let loop ((i 0)
             (a (vector-ref state 0)) (b (vector-ref state 1))
             (c (vector-ref state 2)) (d (vector-ref state 3)))
    (if (= i 64)
        (vector-map (lambda (x y) (word32 (+ x y))) state (vector a b c d))
        (let ((word (bytevector-u32-ref-le bytes
                                           (+ start (* 4 (word-index i))))))
          (loop (+ i 1) d
                (word32
                 (+ b (rotate-left32
                       (word32 (+ a (mix i b c d) word (vector-ref sines i)))
                       (shift i))))
                b c)))))

(define (set-length! bytes start bits)
  (bytevector-u32-set-le! bytes start (word32 bits))
  (bytevector-u32-set-le! bytes (+ start 4) (arithmetic-shift bits -32)))

;;> (md5 source)
;;> Return the MD5 digest of a string (as UTF-8), a bytevector or what a port
;;> reads, in hexadecimal. (md5 "abc") => "900150983cd24fb0d6963f7d28e17f72"
(define (md5 source)
  (let ((state (digest-fold step #(#x67452301 #xefcdab89 #x98badcfe #x10325476)
                            (digest-source source) set-length!))
        (out (make-bytevector 16)))
    (do ((i 0 (+ i 1))) ((= i 4) (bytevector->hex-string out))
      (bytevector-u32-set-le! out (* 4 i) (vector-ref state i)))))
