;;; (chibi crypto rsa).
(import (scheme base) (chibi crypto rsa) (chibi-bridge test))

(define small (rsa-key-gen-from-primes 8 61 53))
(define big (rsa-key-gen-from-primes 64 18446744073709551557 18446744073709551533))

(define (round-trip key message) (rsa-decrypt key (rsa-encrypt (rsa-pub-key key) message)))

(test-begin "rsa")

(test '(#t #f 8 3233 #t #f) (list (rsa-key? small) (rsa-key? 1) (rsa-key-bits small) (rsa-key-n small)
                                  (= 1 (modulo (* (rsa-key-e small) (rsa-key-d small)) 3120))
                                  (rsa-key-d (rsa-pub-key small))))
(test 7 (rsa-key-e (rsa-key-gen-from-primes 8 61 53 7)))
(test-error (rsa-key-gen-from-primes 8 61 53 6))
(test '(42 #u8(42) #u8(0 0 1) #u8(42)) (list (round-trip small 42) (round-trip big #u8(42)) (round-trip big #u8(0 0 1))
                                             (round-trip big "*")))
(test-error (rsa-encrypt small 3233))
(test-error (rsa-encrypt small 'x))
(test-error (rsa-decrypt (rsa-pub-key small) 5))
(test-error (rsa-sign (rsa-pub-key small) 5))
(test '(42 #t #f #t #t #u8(1 2)) (list (rsa-verify (rsa-pub-key small) (rsa-sign small 42))
                                       (rsa-verify? small 42 (rsa-sign small 42)) (rsa-verify? small 43 (rsa-sign small 42))
                                       (rsa-verify? big "*" (rsa-sign big "*")) (rsa-verify? big #u8(1) (rsa-sign big #u8(1)))
                                       (rsa-verify big (rsa-sign big #u8(1 2)))))
(for-each (lambda (key) (test '(5 #t) (list (round-trip key 5) (< 0 (rsa-key-d key)))))
          (list (rsa-key-gen 8) (rsa-key-gen 32) (rsa-key-gen) (make-rsa-key 8 3233 17 2753)))
(test '(#u8(8 8 8 8 8 8 8 8) #u8(1 2 6 6 6 6 6 6)) (list (pkcs1-pad #u8()) (pkcs1-pad #u8(1 2))))
(test '(#u8() #u8(1 2)) (list (pkcs1-unpad #u8(8 8 8 8 8 8 8 8)) (pkcs1-unpad #u8(1 2 6 6 6 6 6 6))))
(test-error (pkcs1-unpad #u8(1 9)))
(test-error (pkcs1-unpad #u8()))

(test-end)
(test-exit)
