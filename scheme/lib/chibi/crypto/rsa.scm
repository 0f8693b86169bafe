;;; (chibi crypto rsa), the body. Messages are integers below N, or bytevectors and
;;; strings, which are padded to integers.

;;> (make-rsa-key bits n e d)
;;> Return a key; D is #f in a public one.
;;> (rsa-key? object), (rsa-key-bits key), (rsa-key-n key), (rsa-key-e key),
;;> (rsa-key-d key)
;;> Is OBJECT a key? Its parts. (rsa-key-n (make-rsa-key 8 3233 17 #f)) => 3233
(define-record-type Rsa-Key
  (make-rsa-key bits n e d)
  rsa-key?
  (bits rsa-key-bits)
  (n rsa-key-n)
  (e rsa-key-e)
  (d rsa-key-d))

(define usual-exponents '(65537 257 17 5 3))

;;> (rsa-key-gen-from-primes bits p q [e])
;;> Return the private key of two primes.
;;> (rsa-key-n (rsa-key-gen-from-primes 8 61 53)) => 3233
(define (rsa-key-gen-from-primes bits p q . rest)
  (let* ((n (* p q))
         (phi (* (- p 1) (- q 1)))
         (e (if (pair? rest) (car rest) (public-exponent phi))))
    (if (not (coprime? e phi))
        (error "rsa-key-gen-from-primes: the exponent does not fit" e))
    (make-rsa-key bits n e (modular-inverse e phi))))

(define (public-exponent phi)
  (let loop ((es usual-exponents))
    (cond ((null? es) (random-coprime phi))
          ((and (< (car es) phi) (coprime? (car es) phi)) (car es))
          (else (loop (cdr es))))))

;;> (rsa-key-gen [bits])
;;> Return a new private key of primes of so many bits, at first 128.
(define (rsa-key-gen . rest)
  (let* ((bits (if (pair? rest) (car rest) 128))
         (low (expt 2 (- bits 1)))
         (high (- (expt 2 bits) 1))
         (p (random-prime low high)))
    (rsa-key-gen-from-primes bits p (random-prime-distinct-from low high p))))

;;> (rsa-pub-key key)
;;> Return the public part of KEY.
;;> (rsa-key-d (rsa-pub-key (rsa-key-gen-from-primes 8 61 53))) => #f
(define (rsa-pub-key key)
  (make-rsa-key (rsa-key-bits key) (rsa-key-n key) (rsa-key-e key) #f))

;;> (pkcs1-pad bytevector), (pkcs1-unpad bytevector)
;;> Fill up to a multiple of 8 bytes, with bytes that say how many they are; and back.
;;> (pkcs1-pad #u8(1 2)) => #u8(1 2 6 6 6 6 6 6)
(define (pkcs1-pad bv)
  (let ((missing (- 8 (modulo (bytevector-length bv) 8))))
    (bytevector-append bv (make-bytevector missing missing))))
(define (pkcs1-unpad bv)
  (let* ((length (bytevector-length bv))
         (padding (if (= length 0) 0 (bytevector-u8-ref bv (- length 1)))))
    (if (not (and (<= 1 padding 8) (<= padding length)))
        (error "pkcs1-unpad: not padded" bv))
    (bytevector-copy bv 0 (- length padding))))

(define (message->integer message)
  (cond ((exact-integer? message) message)
        ((string? message) (message->integer (string->utf8 message)))
        ((bytevector? message) (bytevector->integer (pkcs1-pad message)))
        (else (error "rsa: not an integer, bytevector or string" message))))

(define (power message exponent key)
  (if (not (< -1 message (rsa-key-n key)))
      (error "rsa: the message is too long for the key" message))
  (modular-expt message exponent (rsa-key-n key)))

;; F of the integer that MESSAGE is; bytes where it was no integer.
(define (like message f)
  (let ((n (f (message->integer message))))
    (if (exact-integer? message) n (integer->bytevector n))))

(define (private who key)
  (or (rsa-key-d key)
      (error (string-append who ": not a private key") key)))

;;> (rsa-encrypt key message), (rsa-decrypt key cipher)
;;> Encrypt with the public, decrypt with the private key.
;;> (let ((k (rsa-key-gen-from-primes 8 61 53)))
;;>   (rsa-decrypt k (rsa-encrypt (rsa-pub-key k) 42))) => 42
(define (rsa-encrypt key message)
  (like message (lambda (n) (power n (rsa-key-e key) key))))
(define (rsa-decrypt key cipher)
  (let ((d (private "rsa-decrypt" key)))
    (if (exact-integer? cipher)
        (power cipher d key)
        (unpadded (power (bytevector->integer cipher) d key)))))

;; The bytes of N; those in front that are 0 are there again.
(define (unpadded n)
  (let* ((bytes (integer->bytevector n))
         (missing (modulo (- (bytevector-length bytes)) 8)))
    (pkcs1-unpad (bytevector-append (make-bytevector missing 0) bytes))))

;;> (rsa-sign key message), (rsa-verify key signature),
;;> (rsa-verify? key message signature)
;;> Sign with the private key; with the public one, return the message, or whether it is
;;> that one. (rsa-sign (rsa-key-gen-from-primes 8 61 53) 42) => 1764
(define (rsa-sign key message)
  (like message (lambda (n) (power n (private "rsa-sign" key) key))))
(define (rsa-verify key signature)
  (if (exact-integer? signature)
      (power signature (rsa-key-e key) key)
      (unpadded (power (bytevector->integer signature) (rsa-key-e key) key))))
(define (rsa-verify? key message signature)
  (equal? (if (string? message) (string->utf8 message) message)
          (rsa-verify key signature)))
