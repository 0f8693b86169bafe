;;; (tein uuid), the body.

(define hex-digits "0123456789abcdef")

(define (write-hex byte out)
  (write-char (string-ref hex-digits (quotient byte 16)) out)
  (write-char (string-ref hex-digits (remainder byte 16)) out))

;;> uuid-nil
;;> The identifier of zeros only.
(define uuid-nil "00000000-0000-0000-0000-000000000000")

;;> (make-uuid)
;;> Return a new random identifier, 36 characters in lower case.
;;> (string-length (make-uuid)) => 36
(define (make-uuid . rest)
  (let ((bytes (%host-call 'random-bytes 16))
        (out (open-output-string)))
    (let loop ((i 0))
      (if (< i 16)
          (let ((byte (bytevector-u8-ref bytes i)))
            (if (memv i '(4 6 8 10)) (write-char #\- out))
            (write-hex (case i
                         ((6) (+ 64 (remainder byte 16)))
                         ((8) (+ 128 (remainder byte 64)))
                         (else byte))
                       out)
            (loop (+ i 1)))))
    (get-output-string out)))

(define (hex? char)
  (or (char<=? #\0 char #\9) (char<=? #\a char #\f) (char<=? #\A char #\F)))

;; Are the characters of TEXT from START on what SHAPE says, x for a digit?
(define (shaped? text start shape)
  (let ((n (string-length shape)))
    (and (= (- (string-length text) start) n)
         (let loop ((i 0))
           (or (= i n)
               (let ((char (string-ref text (+ start i)))
                     (wanted (string-ref shape i)))
                 (and (if (char=? wanted #\x) (hex? char) (char=? char wanted))
                      (loop (+ i 1)))))))))

(define hyphenated "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")

(define (prefixed? text prefix)
  (let ((n (string-length prefix)))
    (and (>= (string-length text) n)
         (string=? (substring text 0 n) prefix))))

;;> (uuid? obj)
;;> Is OBJ the text of an identifier: with hyphens or without, in braces, or behind
;;> urn:uuid: ?
;;> (uuid? uuid-nil) => #t
(define (uuid? object . rest)
  (and (string? object)
       (or (shaped? object 0 hyphenated)
           (shaped? object 0 (make-string 32 #\x))
           (shaped? object 0 (string-append "{" hyphenated "}"))
           (and (prefixed? object "urn:uuid:") (shaped? object 9 hyphenated)))
       #t))
