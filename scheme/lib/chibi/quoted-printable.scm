;;; (chibi quoted-printable), the body.

;; 0-9, A-F.
(define hex-digits #u8(48 49 50 51 52 53 54 55 56 57 65 66 67 68 69 70))

(define (write-hex byte out)
  (write-u8 61 out)
  (write-u8 (bytevector-u8-ref hex-digits (quotient byte 16)) out)
  (write-u8 (bytevector-u8-ref hex-digits (remainder byte 16)) out))

(define (option rest n default)
  (cond ((null? rest) default)
        ((= n 0) (car rest))
        (else (option (cdr rest) (- n 1) default))))

;; May BYTE at I stand as it is? A blank may not at the end of a line.
(define (plain? bytes i byte header?)
  (cond ((memv byte '(9 32))
         (and (not header?)
              (< (+ i 1) (bytevector-length bytes))
              (not (memv (bytevector-u8-ref bytes (+ i 1)) '(10 13)))))
        ((= byte 61) #f)
        (header? (or (<= 48 byte 57) (<= 65 byte 90) (<= 97 byte 122)
                     (memv byte '(33 42 43 45 47))))
        (else (<= 33 byte 126))))

;; Is there a line end at I, and of how many bytes?
(define (line-end-length bytes i)
  (let ((byte (bytevector-u8-ref bytes i)))
    (cond ((= byte 10) 1)
          ((and (= byte 13)
                (< (+ i 1) (bytevector-length bytes))
                (= 10 (bytevector-u8-ref bytes (+ i 1))))
           2)
          (else #f))))

;;> (quoted-printable-encode-bytevector bytevector [start-column [max-column
;;>  [separator]]])
;;> Return the bytes in quoted-printable form, in lines of at most MAX-COLUMN (76)
;;> characters that end in = and SEPARATOR (CR LF).
;;> (quoted-printable-encode-bytevector #u8(65 61)) => #u8(65 61 51 68)
(define (quoted-printable-encode-bytevector bytes . rest)
  (let* ((out (open-output-bytevector))
         (limit (- (option rest 1 76) 1))
         (separator (option rest 2 #u8(13 10)))
         (n (bytevector-length bytes)))
    (let loop ((i 0) (column (option rest 0 0)))
      (if (< i n)
          (let* ((byte (bytevector-u8-ref bytes i))
                 (end (line-end-length bytes i))
                 (width (if (plain? bytes i byte #f) 1 3)))
            (cond (end
                   (write-bytevector bytes out i (+ i end))
                   (loop (+ i end) 0))
                  ((> (+ column width) limit)
                   (write-u8 61 out)
                   (write-bytevector separator out)
                   (loop i 0))
                  (else
                   (if (= width 1) (write-u8 byte out) (write-hex byte out))
                   (loop (+ i 1) (+ column width)))))))
    (get-output-bytevector out)))

;;> (quoted-printable-encode-string string [start-column [max-column]])
;;> Return the quoted-printable form of STRING's UTF-8 bytes.
;;> (quoted-printable-encode-string "a=é") => "a=3D=C3=A9"
(define (quoted-printable-encode-string string . rest)
  (utf8->string
   (apply quoted-printable-encode-bytevector (string->utf8 string) rest)))

(define (hex-value byte)
  (cond ((<= 48 byte 57) (- byte 48))
        ((<= 65 byte 70) (- byte 55))
        ((<= 97 byte 102) (- byte 87))
        (else #f)))

;; Where the line goes on if only blanks and a line end follow I, or #f.
(define (soft-break-end bytes i)
  (let loop ((i i))
    (cond ((>= i (bytevector-length bytes)) i)
          ((line-end-length bytes i) => (lambda (n) (+ i n)))
          ((memv (bytevector-u8-ref bytes i) '(9 32)) (loop (+ i 1)))
          (else #f))))

;; The byte that the two digits at I stand for, or #f.
(define (hex-byte bytes i)
  (and (< (+ i 1) (bytevector-length bytes))
       (let ((high (hex-value (bytevector-u8-ref bytes i)))
             (low (hex-value (bytevector-u8-ref bytes (+ i 1)))))
         (and high low (+ (* 16 high) low)))))

;;> (quoted-printable-decode-bytevector bytevector [mime-header?])
;;> Return the bytes that a quoted-printable text stands for; in a header, _ is a
;;> space. (quoted-printable-decode-bytevector #u8(61 51 68)) => #u8(61)
(define (quoted-printable-decode-bytevector bytes . rest)
  (let ((header? (option rest 0 #f))
        (out (open-output-bytevector)))
    (let loop ((i 0))
      (if (< i (bytevector-length bytes))
          (let ((byte (bytevector-u8-ref bytes i)))
            (cond ((and header? (= byte 95)) (write-u8 32 out) (loop (+ i 1)))
                  ((not (= byte 61)) (write-u8 byte out) (loop (+ i 1)))
                  ((hex-byte bytes (+ i 1))
                   => (lambda (value) (write-u8 value out) (loop (+ i 3))))
                  ((soft-break-end bytes (+ i 1)) => loop)
                  (else (write-u8 byte out) (loop (+ i 1)))))))
    (get-output-bytevector out)))

;;> (quoted-printable-decode-string string [mime-header?])
;;> Return the text whose UTF-8 bytes STRING is in quoted-printable form.
;;> (quoted-printable-decode-string "a=3D=C3=A9") => "a=é"
(define (quoted-printable-decode-string string . rest)
  (utf8->string
   (apply quoted-printable-decode-bytevector (string->utf8 string) rest)))

;; Read all of a port, a string or a bytevector as bytes; call F, write.
(define (convert f rest)
  (let* ((in (option rest 0 (current-input-port)))
         (out (option rest 1 (current-output-port)))
         (bytes (cond ((bytevector? in) in)
                      ((string? in) (string->utf8 in))
                      ((textual-port? in) (string->utf8 (port->string in)))
                      (else (port->bytevector in))))
         (result (f bytes)))
    (if (textual-port? out)
        (write-string (utf8->string result) out)
        (write-bytevector result out))))

;;> (quoted-printable-encode [in [out]])
;;> Write the quoted-printable form of all that is read from IN.
(define (quoted-printable-encode . rest)
  (convert quoted-printable-encode-bytevector rest))

;;> (quoted-printable-decode [in [out]])
;;> Write what the quoted-printable text read from IN stands for.
(define (quoted-printable-decode . rest)
  (convert quoted-printable-decode-bytevector rest))

;; The encoded form of one character, for a header.
(define (header-form char)
  (let ((bytes (string->utf8 (string char)))
        (out (open-output-bytevector)))
    (do ((i 0 (+ i 1)))
        ((= i (bytevector-length bytes))
         (utf8->string (get-output-bytevector out)))
      (let ((byte (bytevector-u8-ref bytes i)))
        (cond ((= byte 32) (write-u8 95 out))
              ((plain? bytes i byte #t) (write-u8 byte out))
              (else (write-hex byte out)))))))

;;> (quoted-printable-encode-header encoding string [start-column [max-column
;;>  [newline]]])
;;> Return STRING as the encoded words of a mail header.
;;> (quoted-printable-encode-header "UTF-8" "a é") => "=?UTF-8?Q?a_=C3=A9?="
(define (quoted-printable-encode-header encoding string . rest)
  (let* ((prefix (string-append "=?" encoding "?Q?"))
         (limit (- (option rest 1 76) 2))
         (newline (option rest 2 "\r\n"))
         (out (open-output-string)))
    (write-string prefix out)
    (let loop ((chars (string->list string))
               (column (+ (option rest 0 0) (string-length prefix))))
      (if (pair? chars)
          (let* ((form (header-form (car chars)))
                 (width (string-length form)))
            (cond ((and (> (+ column width) limit)
                        (> column (string-length prefix)))
                   (write-string (string-append "?=" newline " " prefix) out)
                   (loop chars (string-length prefix)))
                  (else
                   (write-string form out)
                   (loop (cdr chars) (+ column width)))))))
    (write-string "?=" out)
    (get-output-string out)))
