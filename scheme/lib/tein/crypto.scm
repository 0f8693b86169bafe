;;; (tein crypto), the body.

(define (bytes-of who input)
  (cond ((bytevector? input) input)
        ((string? input) (string->utf8 input))
        (else
         (error (string-append
                 who ": hash input must be a string or bytevector")
                input))))

(define hex-digits "0123456789abcdef")

(define (hex bytes)
  (let ((out (open-output-string)))
    (do ((i 0 (+ i 1)))
        ((= i (bytevector-length bytes)) (get-output-string out))
      (let ((byte (bytevector-u8-ref bytes i)))
        (write-char (string-ref hex-digits (quotient byte 16)) out)
        (write-char (string-ref hex-digits (remainder byte 16)) out)))))

;;> (sha256-bytes input)
;;> Return the SHA-256 digest of a string (as UTF-8) or bytevector, 32 bytes.
(define (sha256-bytes input) (%sha256 (bytes-of "sha256-bytes" input)))

;;> (sha256 input)
;;> Return the SHA-256 digest of a string (as UTF-8) or bytevector in hexadecimal.
;;> (string-length (sha256 "")) => 64
(define (sha256 input) (hex (%sha256 (bytes-of "sha256" input))))

;;> (sha512-bytes input)
;;> Return the SHA-512 digest of a string (as UTF-8) or bytevector, 64 bytes.
(define (sha512-bytes input) (%sha512 (bytes-of "sha512-bytes" input)))

;;> (sha512 input)
;;> Return the SHA-512 digest of a string (as UTF-8) or bytevector in hexadecimal.
(define (sha512 input) (hex (%sha512 (bytes-of "sha512" input))))

;;> (blake3-bytes input)
;;> Return the BLAKE3 digest of a string (as UTF-8) or bytevector, 32 bytes.
(define (blake3-bytes input) (%blake3 (bytes-of "blake3-bytes" input)))

;;> (blake3 input)
;;> Return the BLAKE3 digest of a string (as UTF-8) or bytevector in hexadecimal.
(define (blake3 input) (hex (%blake3 (bytes-of "blake3" input))))

;;> (random-bytes n)
;;> Return a bytevector of N random bytes.
;;> (bytevector-length (random-bytes 4)) => 4
(define (random-bytes n)
  (if (not (and (exact-integer? n) (>= n 0)))
      (error "random-bytes: expected a non-negative integer" n))
  (%host-call 'random-bytes n))

;;> (random-integer n)
;;> Return a random exact integer from 0 to below N.
(define (random-integer n)
  (if (not (and (exact-integer? n) (> n 0)))
      (error "random-integer: expected a positive integer" n))
  (%host-call 'random-integer n))

;;> (random-float)
;;> Return a random number from 0 to below 1.
(define (random-float) (%host-call 'random-real))
