;;; (chibi base64), the body.

;; A-Z, a-z, 0-9, +, /.
(define digits
  #u8(
   65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88
   89 90 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113
   114 115 116 117 118 119 120 121 122 48 49 50 51 52 53 54 55 56 57 43 47))

;; The value of each byte as a digit; 255 for others. - and _ are taken for + and
;; /, as in URLs.
(define values-of-digits
  #u8(
   255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
   255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255 255
   255 255 255 255 255 255 255 62 255 62 255 63 52 53 54 55 56 57 58 59 60
   61 255 255 255 255 255 255 255 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
   17 18 19 20 21 22 23 24 25 255 255 255 255 63 255 26 27 28 29 30 31 32 33
   34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51))

(define (digit-value byte)
  (if (< byte (bytevector-length values-of-digits))
      (bytevector-u8-ref values-of-digits byte)
      255))

(define (digit n) (bytevector-u8-ref digits (bitwise-and n 63)))

;;> (base64-encode-bytevector bytevector)
;;> Return the bytes of BYTEVECTOR's form in base 64.
;;> (base64-encode-bytevector #u8(0 1)) => #u8(65 65 69 61)
(define (base64-encode-bytevector bytes)
  (let* ((n (bytevector-length bytes))
         (out (make-bytevector (* 4 (quotient (+ n 2) 3)) 61)))
    (let loop ((i 0) (j 0))
      (if (< i n)
          (let ((a (bytevector-u8-ref bytes i))
                (b (if (< (+ i 1) n) (bytevector-u8-ref bytes (+ i 1)) 0))
                (c (if (< (+ i 2) n) (bytevector-u8-ref bytes (+ i 2)) 0)))
            (let ((word (+ (* 65536 a) (* 256 b) c)))
              (bytevector-u8-set! out j (digit (arithmetic-shift word -18)))
              (bytevector-u8-set! out (+ j 1)
                                  (digit (arithmetic-shift word -12)))
              (if (< (+ i 1) n)
                  (bytevector-u8-set! out (+ j 2)
                                      (digit (arithmetic-shift word -6))))
              (if (< (+ i 2) n)
                  (bytevector-u8-set! out (+ j 3) (digit word)))
              (loop (+ i 3) (+ j 4))))))
    out))

;;> (base64-encode-string string)
;;> Return the form in base 64 of STRING's UTF-8 bytes.
;;> (base64-encode-string "any carnal pleas") => "YW55IGNhcm5hbCBwbGVhcw=="
(define (base64-encode-string string)
  (utf8->string (base64-encode-bytevector (string->utf8 string))))

;;> (base64-decode-bytevector bytevector)
;;> Return the bytes that BYTEVECTOR, a form in base 64, stands for. What is no
;;> digit is passed over; the first = ends it.
;;> (base64-decode-bytevector #u8(65 65 69 61)) => #u8(0 1)
(define (base64-decode-bytevector bytes)
  (let* ((n (bytevector-length bytes))
         (out (open-output-bytevector)))
    (let loop ((i 0) (word 0) (bits 0))
      (if (and (< i n) (not (= (bytevector-u8-ref bytes i) 61)))
          (let ((value (digit-value (bytevector-u8-ref bytes i))))
            (cond ((= value 255) (loop (+ i 1) word bits))
                  ((< bits 2)
                   (loop (+ i 1) (bitwise-ior (* 64 word) value) (+ bits 6)))
                  (else
                   (let ((all (bitwise-ior (* 64 word) value))
                         (left (- bits 2)))
                     (write-u8 (arithmetic-shift all (- left)) out)
                     (loop (+ i 1)
                           (bitwise-and all (- (arithmetic-shift 1 left) 1))
                           left)))))))
    (get-output-bytevector out)))

;;> (base64-decode-string string)
;;> Return the text whose UTF-8 bytes STRING is in base 64.
;;> (base64-decode-string "YW55IGNhcm5hbCBwbGVhcw==") => "any carnal pleas"
(define (base64-decode-string string)
  (utf8->string (base64-decode-bytevector (string->utf8 string))))

;; The content of SOURCE: a string, a bytevector or a port.
(define (source-bytes source)
  (cond ((bytevector? source) source)
        ((string? source) (string->utf8 source))
        ((textual-port? source) (string->utf8 (port->string source)))
        (else (port->bytevector source))))

(define (write-bytes bytes port)
  (if (textual-port? port)
      (write-string (utf8->string bytes) port)
      (write-bytevector bytes port)))

(define (convert f rest)
  (let ((in (if (pair? rest) (car rest) (current-input-port)))
        (out (if (and (pair? rest) (pair? (cdr rest)))
                 (cadr rest)
                 (current-output-port))))
    (write-bytes (f (source-bytes in)) out)))

;;> (base64-encode [in [out]])
;;> Write the form in base 64 of all that is read from IN.
(define (base64-encode . rest) (convert base64-encode-bytevector rest))

;;> (base64-decode [in [out]])
;;> Write what the text in base 64 read from IN stands for.
(define (base64-decode . rest) (convert base64-decode-bytevector rest))

;;> (base64-encode-header encoding string [start-column [max-column [newline]]])
;;> Return STRING as the encoded words of a mail header.
;;> (base64-encode-header "UTF-8" "abc") => "=?UTF-8?B?YWJj?="
(define (base64-encode-header encoding string . rest)
  (define (option n default)
    (if (> (length rest) n) (list-ref rest n) default))
  (let* ((prefix (string-append "=?" encoding "?B?"))
         (room (- (option 1 76) (string-length prefix) 2))
         (per-line (max 3 (* 3 (quotient room 4))))
         (first (max 3 (* 3 (quotient (- room (option 0 0)) 4)))))
    (let loop ((pieces (split-text string first per-line)) (out '()))
      (if (null? pieces)
          (join-lines (reverse out) (option 2 "\r\n"))
          (loop (cdr pieces)
                (cons (string-append prefix (base64-encode-string (car pieces))
                                     "?=")
                      out))))))

;; STRING in pieces of at most FIRST and then PER-LINE bytes, whole characters.
(define (split-text string first per-line)
  (let ((n (string-length string)))
    (let loop ((start 0) (i 0) (bytes 0) (limit first) (out '()))
      (cond ((= i n) (reverse (cons (substring string start i) out)))
            ((> (+ bytes (char-bytes (string-ref string i))) limit)
             (loop i i 0 per-line (cons (substring string start i) out)))
            (else (loop start (+ i 1)
                        (+ bytes (char-bytes (string-ref string i)))
                        limit out))))))

(define (char-bytes char)
  (let ((n (char->integer char)))
    (cond ((< n #x80) 1) ((< n #x800) 2) ((< n #x10000) 3) (else 4))))

(define (join-lines lines newline)
  (let loop ((rest (cdr lines)) (out (list (car lines))))
    (if (null? rest)
        (apply string-append (reverse out))
        (loop (cdr rest)
              (cons (car rest) (cons " " (cons newline out)))))))
