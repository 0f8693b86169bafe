;;; (chibi bytevector), the body.

;; The N bytes at I as an unsigned integer, the first one the highest or lowest.
(define (ref-be bytes i n)
  (let loop ((k 0) (value 0))
    (if (= k n)
        value
        (loop (+ k 1) (+ (* 256 value) (bytevector-u8-ref bytes (+ i k)))))))

(define (ref-le bytes i n)
  (let loop ((k (- n 1)) (value 0))
    (if (< k 0)
        value
        (loop (- k 1) (+ (* 256 value) (bytevector-u8-ref bytes (+ i k)))))))

(define (set-le! bytes i n value)
  (let loop ((k 0) (value value))
    (if (< k n)
        (begin
          (bytevector-u8-set! bytes (+ i k) (bitwise-and value 255))
          (loop (+ k 1) (arithmetic-shift value -8))))))

(define (set-be! bytes i n value)
  (let loop ((k (- n 1)) (value value))
    (if (>= k 0)
        (begin
          (bytevector-u8-set! bytes (+ i k) (bitwise-and value 255))
          (loop (- k 1) (arithmetic-shift value -8))))))

;;> (bytevector-u16-ref-le bytevector i)
;;> Return the 2 bytes at I, the lowest first.
;;> (bytevector-u16-ref-le #u8(1 2) 0) => 513
(define (bytevector-u16-ref-le bytes i) (ref-le bytes i 2))

;;> (bytevector-u16-ref-be bytevector i)
;;> Return the 2 bytes at I, the highest first.
;;> (bytevector-u16-ref-be #u8(1 2) 0) => 258
(define (bytevector-u16-ref-be bytes i) (ref-be bytes i 2))

;;> (bytevector-u32-ref-le bytevector i)
;;> Return the 4 bytes at I, the lowest first.
(define (bytevector-u32-ref-le bytes i) (ref-le bytes i 4))

;;> (bytevector-u32-ref-be bytevector i)
;;> Return the 4 bytes at I, the highest first.
(define (bytevector-u32-ref-be bytes i) (ref-be bytes i 4))

;;> (bytevector-u64-ref-le bytevector i)
;;> Return the 8 bytes at I, the lowest first.
(define (bytevector-u64-ref-le bytes i) (ref-le bytes i 8))

;;> (bytevector-u64-ref-be bytevector i)
;;> Return the 8 bytes at I, the highest first.
(define (bytevector-u64-ref-be bytes i) (ref-be bytes i 8))

;;> (bytevector-u16-set-le! bytevector i n)
;;> Store N in the 2 bytes at I, the lowest first.
(define (bytevector-u16-set-le! bytes i n) (set-le! bytes i 2 n))

;;> (bytevector-u16-set-be! bytevector i n)
;;> Store N in the 2 bytes at I, the highest first.
(define (bytevector-u16-set-be! bytes i n) (set-be! bytes i 2 n))

;;> (bytevector-u32-set-le! bytevector i n)
;;> Store N in the 4 bytes at I, the lowest first.
(define (bytevector-u32-set-le! bytes i n) (set-le! bytes i 4 n))

;;> (bytevector-u32-set-be! bytevector i n)
;;> Store N in the 4 bytes at I, the highest first.
(define (bytevector-u32-set-be! bytes i n) (set-be! bytes i 4 n))

;;> (bytevector-u64-set-le! bytevector i n)
;;> Store N in the 8 bytes at I, the lowest first.
(define (bytevector-u64-set-le! bytes i n) (set-le! bytes i 8 n))

;;> (bytevector-u64-set-be! bytevector i n)
;;> Store N in the 8 bytes at I, the highest first.
(define (bytevector-u64-set-be! bytes i n) (set-be! bytes i 8 n))

;;> (bytevector-ber-ref bytevector [start [end]])
;;> Return the BER compressed integer at START: seven bits a byte, the highest
;;> first, all bytes but the last with the eighth bit set.
;;> (bytevector-ber-ref #u8(#x81 0)) => 128
(define (bytevector-ber-ref bytes . rest)
  (let loop ((i (if (pair? rest) (car rest) 0)) (value 0))
    (let* ((byte (bytevector-u8-ref bytes i))
           (value (+ (* 128 value) (bitwise-and byte 127))))
      (if (< byte 128) value (loop (+ i 1) value)))))

;;> (bytevector-ber-set! bytevector n [start [end]])
;;> Store N at START as BER compressed integer.
(define (bytevector-ber-set! bytes n . rest)
  (let ((start (if (pair? rest) (car rest) 0))
        (size (max 1 (quotient (+ (integer-length n) 6) 7))))
    (let loop ((k (- size 1)) (n n) (mark 0))
      (if (>= k 0)
          (begin
            (bytevector-u8-set! bytes (+ start k)
                                (+ mark (bitwise-and n 127)))
            (loop (- k 1) (arithmetic-shift n -7) 128))))))

;; -- flonums ----------------------------------------------------------------

(define (ordered who endianness big little)
  (case endianness
    ((big) big)
    ((little) little)
    (else (error (string-append who ": neither big nor little") endianness))))

;;> (bytevector-ieee-single-ref bytevector i endianness)
;;> Return the single-precision number at I; ENDIANNESS is big or little.
;;> (bytevector-ieee-single-ref #u8(63 128 0 0) 0 'big) => 1.0
(define (bytevector-ieee-single-ref bytes i endianness)
  (single-bits->flonum
   ((ordered "bytevector-ieee-single-ref" endianness ref-be ref-le) bytes i 4)))

;;> (bytevector-ieee-single-native-ref bytevector i)
;;> Return the single-precision number at I, little-endian.
(define (bytevector-ieee-single-native-ref bytes i)
  (bytevector-ieee-single-ref bytes i 'little))

;;> (bytevector-ieee-double-ref bytevector i endianness)
;;> Return the double-precision number at I.
(define (bytevector-ieee-double-ref bytes i endianness)
  (double-bits->flonum
   ((ordered "bytevector-ieee-double-ref" endianness ref-be ref-le) bytes i 8)))

;;> (bytevector-ieee-double-native-ref bytevector i)
;;> Return the double-precision number at I, little-endian.
(define (bytevector-ieee-double-native-ref bytes i)
  (bytevector-ieee-double-ref bytes i 'little))

;;> (bytevector-ieee-single-set! bytevector i x endianness)
;;> Store X at I in single precision.
(define (bytevector-ieee-single-set! bytes i x endianness)
  ((ordered "bytevector-ieee-single-set!" endianness set-be! set-le!)
   bytes i 4 (flonum->single-bits (inexact x))))

;;> (bytevector-ieee-single-native-set! bytevector i x)
;;> Store X at I in single precision, little-endian.
(define (bytevector-ieee-single-native-set! bytes i x)
  (bytevector-ieee-single-set! bytes i x 'little))

;;> (bytevector-ieee-double-set! bytevector i x endianness)
;;> Store X at I in double precision.
(define (bytevector-ieee-double-set! bytes i x endianness)
  ((ordered "bytevector-ieee-double-set!" endianness set-be! set-le!)
   bytes i 8 (flonum->double-bits (inexact x))))

;;> (bytevector-ieee-double-native-set! bytevector i x)
;;> Store X at I in double precision, little-endian.
(define (bytevector-ieee-double-native-set! bytes i x)
  (bytevector-ieee-double-set! bytes i x 'little))

;; -- whole bytevectors ------------------------------------------------------

;;> (bytevector-pad-left bytevector length)
;;> Return BYTEVECTOR with zeros in front up to LENGTH bytes.
;;> (bytevector-pad-left #u8(1) 3) => #u8(0 0 1)
(define (bytevector-pad-left bytes length)
  (let ((missing (- length (bytevector-length bytes))))
    (if (> missing 0)
        (bytevector-append (make-bytevector missing 0) bytes)
        bytes)))

;;> (integer->bytevector n)
;;> Return the bytes of N, 0 or more, the highest first.
;;> (integer->bytevector 258) => #u8(1 2)
(define (integer->bytevector n)
  (let* ((size (max 1 (quotient (+ (integer-length n) 7) 8)))
         (out (make-bytevector size)))
    (set-be! out 0 size n)
    out))

;;> (bytevector->integer bytevector)
;;> Return the integer with these bytes. (bytevector->integer #u8(1 2)) => 258
(define (bytevector->integer bytes)
  (ref-be bytes 0 (bytevector-length bytes)))

;;> (integer->hex-string n)
;;> Return N in hexadecimal digits, an even number of them.
;;> (integer->hex-string 10) => "0a"
(define (integer->hex-string n)
  (bytevector->hex-string (integer->bytevector n)))

;;> (hex-string->integer string)
;;> Return the integer that STRING is in hexadecimal digits.
;;> (hex-string->integer "ff") => 255
(define (hex-string->integer string)
  (or (string->number string 16)
      (error "hex-string->integer: not hexadecimal" string)))

(define hex-digits "0123456789abcdef")

;;> (bytevector->hex-string bytevector)
;;> Return two hexadecimal digits for each byte.
;;> (bytevector->hex-string #u8(1 171)) => "01ab"
(define (bytevector->hex-string bytes)
  (let* ((n (bytevector-length bytes))
         (out (make-string (* 2 n))))
    (do ((i 0 (+ i 1))) ((= i n) out)
      (let ((byte (bytevector-u8-ref bytes i)))
        (string-set! out (* 2 i) (string-ref hex-digits (quotient byte 16)))
        (string-set! out (+ (* 2 i) 1)
                     (string-ref hex-digits (remainder byte 16)))))))

;;> (hex-string->bytevector string)
;;> Return the bytes that STRING is in hexadecimal digits; with an odd number of
;;> digits the first one stands alone. (hex-string->bytevector "01ab") =>
;;> #u8(1 171)
(define (hex-string->bytevector string)
  (let* ((text (if (odd? (string-length string))
                   (string-append "0" string)
                   string))
         (n (quotient (string-length text) 2))
         (out (make-bytevector n)))
    (do ((i 0 (+ i 1))) ((= i n) out)
      (bytevector-u8-set! out i
                          (hex-string->integer
                           (substring text (* 2 i) (+ 2 (* 2 i))))))))
