;;; (chibi json), the body.

;; -- reading ----------------------------------------------------------------

(define (fail reason . irritants)
  (apply error (string-append "json-read: " reason) irritants))

(define (space? char) (memv char '(#\space #\tab #\newline #\return)))

(define (peek-token in)
  (let ((char (peek-char in)))
    (if (and (char? char) (space? char))
        (begin (read-char in) (peek-token in))
        char)))

;;> (json-read [port])
;;> Return the next JSON value of PORT, or an end-of-file object.
;;> (json-read (open-input-string "{\"a\": [1, null]}")) => ((a . #(1 null)))
(define (json-read . port)
  (let ((in (if (pair? port) (car port) (current-input-port))))
    (if (eof-object? (peek-token in))
        (eof-object)
        (read-value in))))

(define (read-value in)
  (let ((char (peek-token in)))
    (cond ((eof-object? char) (fail "unexpected end of the text"))
          ((char=? char #\{) (read-char in) (read-object in))
          ((char=? char #\[) (read-char in) (read-array in))
          ((char=? char #\") (read-char in) (read-text in))
          ((or (char=? char #\-) (digit? char)) (read-number in))
          ((char=? char #\t) (read-word in "true" #t))
          ((char=? char #\f) (read-word in "false" #f))
          ((char=? char #\n) (read-word in "null" 'null))
          (else (fail "expected a value" char)))))

(define (digit? char) (and (char? char) (char<=? #\0 char #\9)))

(define (read-word in word value)
  (string-for-each
   (lambda (char)
     (if (not (eqv? char (read-char in))) (fail "expected" word)))
   word)
  value)

;; Items until CLOSE, each read by (read-item).
(define (read-items in close read-item)
  (if (eqv? (peek-token in) close)
      (begin (read-char in) '())
      (let loop ((out (list (read-item))))
        (let ((char (peek-token in)))
          (read-char in)
          (cond ((eqv? char #\,) (loop (cons (read-item) out)))
                ((eqv? char close) (reverse out))
                (else (fail "expected , or the end of it" char)))))))

(define (read-array in)
  (list->vector (read-items in #\] (lambda () (read-value in)))))

(define (read-object in)
  (read-items in #\} (lambda () (read-member in))))

(define (read-member in)
  (if (not (eqv? (peek-token in) #\")) (fail "expected a string as key"))
  (read-char in)
  (let ((key (string->symbol (read-text in))))
    (if (not (eqv? (peek-token in) #\:)) (fail "expected : behind a key" key))
    (read-char in)
    (cons key (read-value in))))

(define (read-number in)
  (let* ((out (open-output-string))
         (take! (lambda () (write-char (read-char in) out))))
    (define (digits!)
      (if (not (digit? (peek-char in))) (fail "expected a digit"))
      (let loop () (if (digit? (peek-char in)) (begin (take!) (loop)))))
    (if (eqv? (peek-char in) #\-) (take!))
    (if (eqv? (peek-char in) #\0) (take!) (digits!))
    (if (digit? (peek-char in)) (fail "a number with a leading zero"))
    (let* ((fraction? (and (eqv? (peek-char in) #\.)
                           (begin (take!) (digits!) #t)))
           (exponent? (and (memv (peek-char in) '(#\e #\E))
                           (begin
                             (take!)
                             (if (memv (peek-char in) '(#\+ #\-)) (take!))
                             (digits!)
                             #t)))
           (number (string->number (get-output-string out))))
      (cond ((not (or fraction? exponent?)) number)
            ((finite? number) (inexact number))
            (else (fail "a number out of range"))))))

;; Behind the opening quote.
(define (read-text in)
  (let ((out (open-output-string)))
    (let loop ()
      (let ((char (read-char in)))
        (cond ((eof-object? char) (fail "unexpected end of a string"))
              ((char=? char #\") (get-output-string out))
              ((char=? char #\\) (write-char (read-escape in) out) (loop))
              ((char<? char #\space) (fail "a control character" char))
              (else (write-char char out) (loop)))))))

(define (read-escape in)
  (let ((char (read-char in)))
    (case char
      ((#\" #\\ #\/) char)
      ((#\b) #\backspace) ((#\f) #\x0c) ((#\n) #\newline)
      ((#\r) #\return) ((#\t) #\tab)
      ((#\u) (read-unicode in))
      (else (fail "unknown escape" char)))))

(define (read-hex in)
  (let ((text (read-string 4 in)))
    (or (and (string? text)
             (= (string-length text) 4)
             (hex-digits? text)
             (string->number text 16))
        (fail "expected four hexadecimal digits"))))

(define (hex-digits? text)
  (let loop ((i 0))
    (or (= i 4)
        (and (string->number (string #\0 (string-ref text i)) 16)
             (loop (+ i 1))))))

(define (read-unicode in)
  (let ((code (read-hex in)))
    (cond ((<= #xDC00 code #xDFFF) (fail "half of a surrogate pair"))
          ((not (<= #xD800 code #xDBFF)) (integer->char code))
          ((not (and (eqv? (read-char in) #\\) (eqv? (read-char in) #\u)))
           (fail "half of a surrogate pair"))
          (else
           (let ((low (read-hex in)))
             (if (not (<= #xDC00 low #xDFFF)) (fail "half of a surrogate pair"))
             (integer->char (+ #x10000 (* 1024 (- code #xD800))
                               (- low #xDC00))))))))

;;> (string->json string)
;;> Return the value of the JSON text STRING. (string->json "[1.5]") => #(1.5)
(define (string->json string)
  (let* ((in (open-input-string string))
         (value (read-value in)))
    (if (not (eof-object? (peek-token in))) (fail "trailing characters"))
    value))

;;> (parse-json string)
;;> The same as string->json.
(define (parse-json string) (string->json string))

;; -- reading into records ---------------------------------------------------

;;> (make-json-reader shape [strict?])
;;> Return a procedure that reads a value from a port and checks or converts it:
;;> SHAPE is a predicate, a record type (an object becomes a record, missing fields
;;> are #f), (type (field . shape) ...), #(shape) for arrays, or a list of pairs for
;;> alists. With STRICT?, unknown keys of an object are an error.
;;> ((make-json-reader (vector string?)) (open-input-string "[\"a\"]")) => #("a")
(define (make-json-reader shape . strict?)
  (let ((strict? (and (pair? strict?) (car strict?))))
    (lambda port
      (let ((value (apply json-read port)))
        (if (eof-object? value) value (shaped value shape strict?))))))

(define (shaped value shape strict?)
  (cond ((not shape) value)
        ((procedure? shape)
         (if (shape value) value (fail "a value of another kind" value)))
        ((%record-type? shape) (shaped-record value shape '() strict?))
        ((and (pair? shape) (%record-type? (car shape)))
         (shaped-record value (car shape) (cdr shape) strict?))
        ((and (vector? shape) (= (vector-length shape) 1))
         (if (not (vector? value)) (fail "expected an array" value))
         (vector-map (lambda (item) (shaped item (vector-ref shape 0) strict?))
                     value))
        ((list? shape) (shaped-alist value shape strict?))
        (else (error "make-json-reader: not a shape" shape))))

(define (shape-of key shapes)
  (let ((pair (assq key shapes))) (and pair (cdr pair))))

(define (check-object value)
  (if (not (list? value)) (fail "expected an object" value)))

(define (shaped-alist value shapes strict?)
  (check-object value)
  (map (lambda (member)
         (if (and strict? (not (assq (car member) shapes)))
             (fail "unknown key" (car member)))
         (cons (car member)
               (shaped (cdr member) (shape-of (car member) shapes) strict?)))
       value))

(define (shaped-record value type shapes strict?)
  (check-object value)
  (let ((fields (vector->list (%record-type-fields type))))
    (if strict?
        (for-each (lambda (member)
                    (if (not (memq (car member) fields))
                        (fail "unknown key" (car member))))
                  value))
    (apply %record type
           (map (lambda (field)
                  (let ((member (assq field value)))
                    (and member
                         (shaped (cdr member) (shape-of field shapes)
                                 strict?))))
                fields))))

;; -- writing ----------------------------------------------------------------

;;> (json->string value)
;;> Return the JSON text of VALUE, in ASCII.
;;> (json->string '((a . #(1 #t)))) => "{\"a\":[1,true]}"
(define (json->string value)
  (let ((out (open-output-string)))
    (write-value value out)
    (get-output-string out)))

;;> (unparse-json value)
;;> The same as json->string.
(define (unparse-json value) (json->string value))

;;> (json-write value [port])
;;> Write the JSON text of VALUE.
(define (json-write value . port)
  (write-value value (if (pair? port) (car port) (current-output-port))))

(define (write-value value out)
  (cond ((string? value) (write-text value out))
        ((number? value) (write-json-number value out))
        ((eq? value #t) (write-string "true" out))
        ((eq? value #f) (write-string "false" out))
        ((eq? value 'null) (write-string "null" out))
        ((symbol? value) (write-text (symbol->string value) out))
        ((vector? value)
         (write-items (vector->list value) write-value "[" "]" out))
        ((list? value) (write-items value write-member "{" "}" out))
        (else (refuse value))))

(define (refuse value)
  (error "json-write: cannot convert to JSON" value))

(define (write-items items write-item open close out)
  (write-string open out)
  (let loop ((rest items) (first? #t))
    (if (pair? rest)
        (begin
          (if (not first?) (write-string "," out))
          (write-item (car rest) out)
          (loop (cdr rest) #f))))
  (write-string close out))

(define (write-member member out)
  (if (not (pair? member)) (refuse member))
  (let ((key (car member)))
    (cond ((symbol? key) (write-text (symbol->string key) out))
          ((string? key) (write-text key out))
          (else (refuse key))))
  (write-string ":" out)
  (write-value (cdr member) out))

(define (write-json-number number out)
  (cond ((not (real? number)) (refuse number))
        ((exact-integer? number) (write number out))
        ((not (finite? number)) (refuse number))
        ((and (integer? number) (< (abs number) 1e16))
         (write (exact number) out))
        (else (write (inexact number) out))))

(define (write-text text out)
  (write-char #\" out)
  (string-for-each (lambda (char) (write-escaped char out)) text)
  (write-char #\" out))

(define (write-escaped char out)
  (let ((n (char->integer char)))
    (case char
      ((#\" #\\) (write-char #\\ out) (write-char char out))
      ((#\newline) (write-string "\\n" out))
      ((#\return) (write-string "\\r" out))
      ((#\tab) (write-string "\\t" out))
      ((#\backspace) (write-string "\\b" out))
      ((#\x0c) (write-string "\\f" out))
      (else
       (cond ((<= 32 n 126) (write-char char out))
             ((< n #x10000) (write-unicode n out))
             (else
              (write-unicode (+ #xD800 (quotient (- n #x10000) 1024)) out)
              (write-unicode (+ #xDC00 (remainder (- n #x10000) 1024)) out)))))))

(define (write-unicode n out)
  (write-string "\\u" out)
  (let loop ((divisor 4096) (n n))
    (if (> divisor 0)
        (begin
          (write-char (string-ref "0123456789ABCDEF" (quotient n divisor)) out)
          (loop (quotient divisor 16) (remainder n divisor))))))
