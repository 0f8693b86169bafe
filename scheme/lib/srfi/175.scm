;;; SRFI 175, the body.

;; The code of a character or code; -1 for what is neither or no ASCII.
(define (code x)
  (let ((n (cond ((char? x) (char->integer x))
                 ((exact-integer? x) x)
                 (else -1))))
    (if (<= 0 n 127) n -1)))

;; N as X is: a character or a code.
(define (like x n) (if (char? x) (integer->char n) n))

;; -- predicates -------------------------------------------------------------

;;> (ascii-codepoint? obj)
;;> Is OBJ an integer from 0 to 127? (ascii-codepoint? 65) => #t
(define (ascii-codepoint? obj) (and (exact-integer? obj) (<= 0 obj 127)))

;;> (ascii-char? obj)
;;> Is OBJ an ASCII character? (ascii-char? #\é) => #f
(define (ascii-char? obj) (and (char? obj) (char<? obj #\x80)))

;;> (ascii-bytevector? obj)
;;> Is OBJ a bytevector of ASCII codes? (ascii-bytevector? #u8(65 128)) => #f
(define (ascii-bytevector? obj)
  (and (bytevector? obj)
       (let loop ((i 0))
         (or (= i (bytevector-length obj))
             (and (< (bytevector-u8-ref obj i) 128) (loop (+ i 1)))))))

;;> (ascii-string? obj)
;;> Is OBJ a string of ASCII characters? (ascii-string? "abc") => #t
(define (ascii-string? obj)
  (and (string? obj)
       (let loop ((i 0))
         (or (= i (string-length obj))
             (and (ascii-char? (string-ref obj i)) (loop (+ i 1)))))))

;;> (ascii-control? x)
;;> Is X a control character? (ascii-control? #\newline) => #t
(define (ascii-control? x)
  (let ((n (code x))) (or (<= 0 n 31) (= n 127))))

;;> (ascii-non-control? x)
;;> Is X an ASCII character other than a control? (ascii-non-control? #\a) => #t
(define (ascii-non-control? x) (<= 32 (code x) 126))

;;> (ascii-whitespace? x)
;;> Is X a space, tab, line end or form feed? (ascii-whitespace? #\tab) => #t
(define (ascii-whitespace? x)
  (let ((n (code x))) (or (<= 9 n 13) (= n 32))))

;;> (ascii-space-or-tab? x)
;;> Is X a space or tab? (ascii-space-or-tab? #\newline) => #f
(define (ascii-space-or-tab? x) (if (memv (code x) '(9 32)) #t #f))

;;> (ascii-other-graphic? x)
;;> Is X visible but no letter or digit? (ascii-other-graphic? #\+) => #t
(define (ascii-other-graphic? x)
  (and (<= 33 (code x) 126) (not (ascii-alphanumeric? x))))

;;> (ascii-upper-case? x)
;;> Is X from A to Z? (ascii-upper-case? #\A) => #t
(define (ascii-upper-case? x) (<= 65 (code x) 90))

;;> (ascii-lower-case? x)
;;> Is X from a to z? (ascii-lower-case? #\A) => #f
(define (ascii-lower-case? x) (<= 97 (code x) 122))

;;> (ascii-alphabetic? x)
;;> Is X a letter? (ascii-alphabetic? #\1) => #f
(define (ascii-alphabetic? x)
  (or (ascii-lower-case? x) (ascii-upper-case? x)))

;;> (ascii-alphanumeric? x)
;;> Is X a letter or digit? (ascii-alphanumeric? #\1) => #t
(define (ascii-alphanumeric? x)
  (or (ascii-alphabetic? x) (ascii-numeric? x)))

;;> (ascii-numeric? x)
;;> Is X a digit? (ascii-numeric? #\1) => #t
(define (ascii-numeric? x) (<= 48 (code x) 57))

;; -- values -----------------------------------------------------------------

;; The place of X behind BASE, below the least of LIMIT and COUNT; or #f.
(define (place x base limit count)
  (let ((n (- (code x) base)))
    (and (<= 0 n) (< n (min limit count)) n)))

;;> (ascii-digit-value x limit)
;;> Return the value of the digit X below LIMIT, or #f.
;;> (ascii-digit-value #\7 8) => 7
(define (ascii-digit-value x limit) (place x 48 limit 10))

;;> (ascii-upper-case-value x offset limit)
;;> Return OFFSET plus the place of the letter X, below LIMIT, or #f.
;;> (ascii-upper-case-value #\C 10 6) => 12
(define (ascii-upper-case-value x offset limit)
  (let ((n (place x 65 limit 26))) (and n (+ offset n))))

;;> (ascii-lower-case-value x offset limit)
;;> Return OFFSET plus the place of the letter X, below LIMIT, or #f.
;;> (ascii-lower-case-value #\c 10 6) => 12
(define (ascii-lower-case-value x offset limit)
  (let ((n (place x 97 limit 26))) (and n (+ offset n))))

;;> (ascii-nth-digit n)
;;> Return the digit N, or #f. (ascii-nth-digit 7) => #\7
(define (ascii-nth-digit n)
  (and (<= 0 n 9) (integer->char (+ 48 n))))

;;> (ascii-nth-upper-case n)
;;> Return the letter N, counted from 0 and round again.
;;> (ascii-nth-upper-case 27) => #\B
(define (ascii-nth-upper-case n) (integer->char (+ 65 (modulo n 26))))

;;> (ascii-nth-lower-case n)
;;> Return the letter N, counted from 0 and round again.
;;> (ascii-nth-lower-case -1) => #\z
(define (ascii-nth-lower-case n) (integer->char (+ 97 (modulo n 26))))

;; -- conversion -------------------------------------------------------------

;;> (ascii-upcase x)
;;> Return X, a to z as A to Z. (ascii-upcase #\a) => #\A
(define (ascii-upcase x)
  (if (ascii-lower-case? x) (like x (- (code x) 32)) x))

;;> (ascii-downcase x)
;;> Return X, A to Z as a to z. (ascii-downcase 65) => 97
(define (ascii-downcase x)
  (if (ascii-upper-case? x) (like x (+ (code x) 32)) x))

;;> (ascii-control->graphic x)
;;> Return what a control character is written with behind ^, or #f.
;;> (ascii-control->graphic #\newline) => #\J
(define (ascii-control->graphic x)
  (let ((n (code x)))
    (cond ((<= 0 n 31) (like x (+ n 64)))
          ((= n 127) (like x 63))
          (else #f))))

;;> (ascii-graphic->control x)
;;> Return the control character written with X behind ^, or #f.
;;> (ascii-graphic->control #\J) => #\newline
(define (ascii-graphic->control x)
  (let ((n (code x)))
    (cond ((<= 64 n 95) (like x (- n 64)))
          ((= n 63) (like x 127))
          (else #f))))

;;> (ascii-mirror-bracket x)
;;> Return the bracket that goes with X, or #f. (ascii-mirror-bracket #\<) => #\>
(define (ascii-mirror-bracket x)
  (case (code x)
    ((40) (like x 41)) ((41) (like x 40))
    ((60) (like x 62)) ((62) (like x 60))
    ((91) (like x 93)) ((93) (like x 91))
    ((123) (like x 125)) ((125) (like x 123))
    (else #f)))

;; -- comparison -------------------------------------------------------------

;; The code of X in lower case; of others than ASCII, the code itself.
(define (folded x)
  (let ((x (ascii-downcase x))) (if (char? x) (char->integer x) x)))

;;> (ascii-ci=? x y)
;;> Are X and Y the same but for case? (ascii-ci=? #\a #\A) => #t
(define (ascii-ci=? x y) (= (folded x) (folded y)))

;;> (ascii-ci<? x y)
;;> Is X before Y but for case?
(define (ascii-ci<? x y) (< (folded x) (folded y)))

;;> (ascii-ci>? x y)
;;> Is X behind Y but for case?
(define (ascii-ci>? x y) (> (folded x) (folded y)))

;;> (ascii-ci<=? x y)
;;> Is X not behind Y but for case?
(define (ascii-ci<=? x y) (<= (folded x) (folded y)))

;;> (ascii-ci>=? x y)
;;> Is X not before Y but for case?
(define (ascii-ci>=? x y) (>= (folded x) (folded y)))

(define (fold-string string) (string-map ascii-downcase string))

;;> (ascii-string-ci=? a b)
;;> Are the strings the same but for the case of ASCII letters?
;;> (ascii-string-ci=? "abc" "ABC") => #t
(define (ascii-string-ci=? a b) (string=? (fold-string a) (fold-string b)))

;;> (ascii-string-ci<? a b)
;;> Is A before B but for the case of ASCII letters?
(define (ascii-string-ci<? a b) (string<? (fold-string a) (fold-string b)))

;;> (ascii-string-ci>? a b)
;;> Is A behind B but for the case of ASCII letters?
(define (ascii-string-ci>? a b) (string>? (fold-string a) (fold-string b)))

;;> (ascii-string-ci<=? a b)
;;> Is A not behind B but for the case of ASCII letters?
(define (ascii-string-ci<=? a b) (string<=? (fold-string a) (fold-string b)))

;;> (ascii-string-ci>=? a b)
;;> Is A not before B but for the case of ASCII letters?
(define (ascii-string-ci>=? a b) (string>=? (fold-string a) (fold-string b)))
