;;; (tein crypto). BLAKE3's digests are those of its reference test vectors.
(import (scheme base) (tein crypto) (chibi-bridge test))

;; The bytes 0 1 ... 250 0 1 ...
(define (pattern n)
  (let ((bytes (make-bytevector n)))
    (do ((i 0 (+ i 1)))
        ((= i n) bytes)
      (bytevector-u8-set! bytes i (modulo i 251)))))

(define (begins digest text) (string=? (substring digest 0 16) text))

(test-begin "crypto")

(test "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      (sha256 ""))
(test "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
      (sha256 "hello"))
(test (sha256 "hé") (sha256 (string->utf8 "hé")))
(test (string-append
       "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
      (sha512 "abc"))
(test "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
      (blake3 ""))
(for-each (lambda (n text) (test #t (begins (blake3 (pattern n)) text)))
          '(1 1023 1024 1025 2048 2049 31744 102400)
          '("2d3adedff11b61f1" "10108970eeda3eb9" "42214739f095a406"
            "d00278ae47eb27b3" "e776b6028c7cd22a" "5f4d72f40d7a5f82"
            "62b6960e1a44bcc1" "bc3e3d41a1146b06"))
(test '(32 64 32)
      (map bytevector-length
           (list (sha256-bytes "") (sha512-bytes "") (blake3-bytes ""))))
(test #xe3 (bytevector-u8-ref (sha256-bytes "") 0))
(for-each (lambda (digest) (test-error (digest 42)))
          (list sha256 sha256-bytes sha512 sha512-bytes blake3 blake3-bytes))

(test '(0 16) (list (bytevector-length (random-bytes 0))
                    (bytevector-length (random-bytes 16))))
(test-error (random-bytes -1))
(test-error (random-bytes 1.0))
(test-error (random-bytes (expt 10 12)))
(test #t (<= 0 (random-integer 10) 9))
(test #t (< (random-integer (expt 10 40)) (expt 10 40)))
(test-error (random-integer 0))
(test #t (let ((r (random-float))) (and (<= 0 r) (< r 1))))

(test-end)
(test-exit)
