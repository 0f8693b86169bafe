;;; (tein json), the body.

;; -- reading ----------------------------------------------------------------

(define-record-type <input>
  (make-input text at)
  input?
  (text input-text)
  (at input-at set-input-at!))

(define (peek in)
  (let ((at (input-at in)))
    (if (< at (string-length (input-text in)))
        (string-ref (input-text in) at)
        #f)))

(define (advance! in n) (set-input-at! in (+ (input-at in) n)))

(define (next! in)
  (let ((char (peek in)))
    (advance! in 1)
    char))

;; Calls (f line column) for the place of now, both from 1.
(define (with-place in f)
  (let ((text (input-text in))
        (end (min (input-at in) (string-length (input-text in)))))
    (let loop ((i 0) (line 1) (column 1))
      (cond ((= i end) (f line column))
            ((char=? (string-ref text i) #\newline)
             (loop (+ i 1) (+ line 1) 1))
            (else (loop (+ i 1) line (+ column 1)))))))

(define (fail in reason)
  (with-place in
    (lambda (line column)
      (error (string-append "json-parse: " reason
                            " at line " (number->string line)
                            " column " (number->string column))))))

(define (skip-space! in)
  (let ((char (peek in)))
    (if (memv char '(#\space #\tab #\newline #\return))
        (begin (advance! in 1) (skip-space! in)))))

(define (expect! in char what)
  (skip-space! in)
  (if (eqv? (peek in) char)
      (advance! in 1)
      (fail in (string-append "expected " what))))

(define (read-value in)
  (skip-space! in)
  (let ((char (peek in)))
    (cond ((not char) (fail in "unexpected end of the text"))
          ((char=? char #\{) (advance! in 1) (read-object in))
          ((char=? char #\[) (advance! in 1) (read-array in))
          ((char=? char #\") (advance! in 1) (read-text in))
          ((or (char=? char #\-) (char<=? #\0 char #\9)) (read-number in))
          ((char=? char #\t) (read-word in "true" #t))
          ((char=? char #\f) (read-word in "false" #f))
          ((char=? char #\n) (read-word in "null" 'null))
          (else (fail in "expected a value")))))

(define (read-word in word value)
  (let* ((start (input-at in))
         (end (+ start (string-length word))))
    (if (and (<= end (string-length (input-text in)))
             (string=? (substring (input-text in) start end) word))
        (begin (advance! in (string-length word)) value)
        (fail in "expected a value"))))

(define (read-array in)
  (skip-space! in)
  (if (eqv? (peek in) #\])
      (begin (advance! in 1) '())
      (let loop ((out '()))
        (let ((out (cons (read-value in) out)))
          (skip-space! in)
          (case (peek in)
            ((#\,) (advance! in 1) (loop out))
            ((#\]) (advance! in 1) (reverse out))
            (else (fail in "expected , or ] in an array")))))))

(define (read-member in)
  (expect! in #\" "a string as key")
  (let ((key (read-text in)))
    (expect! in #\: ": behind a key")
    (cons key (read-value in))))

(define (read-object in)
  (skip-space! in)
  (if (eqv? (peek in) #\})
      (begin (advance! in 1) '())
      (let ((table (make-hash-table string=?)))
        (let loop ()
          (let ((member (read-member in)))
            (hash-table-set! table (car member) (cdr member))
            (skip-space! in)
            (case (peek in)
              ((#\,) (advance! in 1) (loop))
              ((#\}) (advance! in 1) (hash-table->alist table))
              (else (fail in "expected , or } in an object"))))))))

(define (digit? char) (and char (char<=? #\0 char #\9)))

(define (skip-digits! in)
  (if (not (digit? (peek in))) (fail in "expected a digit"))
  (let loop ()
    (if (digit? (peek in)) (begin (advance! in 1) (loop)))))

;; Behind the integer part: is there a fraction or an exponent?
(define (skip-fraction! in)
  (if (eqv? (peek in) #\.)
      (begin (advance! in 1) (skip-digits! in) #t)
      #f))

(define (skip-exponent! in)
  (if (memv (peek in) '(#\e #\E))
      (begin
        (advance! in 1)
        (if (memv (peek in) '(#\+ #\-)) (advance! in 1))
        (skip-digits! in)
        #t)
      #f))

(define (read-number in)
  (let ((start (input-at in)))
    (if (eqv? (peek in) #\-) (advance! in 1))
    (if (eqv? (peek in) #\0) (advance! in 1) (skip-digits! in))
    (if (digit? (peek in)) (fail in "a number with a leading zero"))
    (let* ((fraction (skip-fraction! in))
           (exponent (skip-exponent! in))
           (text (substring (input-text in) start (input-at in)))
           (number (string->number text)))
      (cond ((or fraction exponent)
             (if (finite? number)
                 (inexact number)
                 (fail in "a number out of range")))
            ((string=? text "-0") -0.0)
            (else number)))))

;; Behind the opening quote.
(define (read-text in)
  (let ((text (input-text in))
        (out (open-output-string)))
    (let loop ((start (input-at in)))
      (let ((char (next! in)))
        (cond ((not char) (fail in "unexpected end of a string"))
              ((char=? char #\")
               (write-string text out start (- (input-at in) 1))
               (get-output-string out))
              ((char=? char #\\)
               (write-string text out start (- (input-at in) 1))
               (write-char (read-escape in) out)
               (loop (input-at in)))
              ((char<? char #\space) (fail in "a control character"))
              (else (loop start)))))))

(define (read-escape in)
  (case (next! in)
    ((#\") #\") ((#\\) #\\) ((#\/) #\/)
    ((#\b) #\backspace) ((#\f) #\x0c) ((#\n) #\newline)
    ((#\r) #\return) ((#\t) #\tab)
    ((#\u) (read-unicode in))
    (else (fail in "unknown escape"))))

(define (read-hex in)
  (let* ((start (input-at in))
         (end (+ start 4))
         (text (input-text in)))
    (advance! in 4)
    (or (and (<= end (string-length text))
             (hex-value text start end))
        (fail in "expected four hexadecimal digits"))))

(define (hex-value text start end)
  (let loop ((i start) (value 0))
    (if (= i end)
        value
        (let ((digit (hex-digit (string-ref text i))))
          (and digit (loop (+ i 1) (+ (* 16 value) digit)))))))

(define (hex-digit char)
  (let ((n (char->integer char)))
    (cond ((<= 48 n 57) (- n 48))
          ((<= 65 n 70) (- n 55))
          ((<= 97 n 102) (- n 87))
          (else #f))))

(define (read-unicode in)
  (let ((code (read-hex in)))
    (cond ((<= #xD800 code #xDBFF)
           (if (and (eqv? (next! in) #\\) (eqv? (next! in) #\u))
               (let ((low (read-hex in)))
                 (if (<= #xDC00 low #xDFFF)
                     (integer->char (+ #x10000
                                       (* 1024 (- code #xD800))
                                       (- low #xDC00)))
                     (fail in "half of a surrogate pair")))
               (fail in "half of a surrogate pair")))
          ((<= #xDC00 code #xDFFF) (fail in "half of a surrogate pair"))
          (else (integer->char code)))))

;;> (json-parse string)
;;> Return the value of a JSON text. (json-parse "{\"a\": [1, null]}") =>
;;> (("a" 1 null))
(define (json-parse string)
  (if (not (string? string))
      (error "json-parse: expected string argument" string))
  (let* ((in (make-input string 0))
         (value (read-value in)))
    (skip-space! in)
    (if (peek in) (fail in "trailing characters"))
    value))

;; -- writing ----------------------------------------------------------------

(define (write-escaped char out)
  (let ((n (char->integer char)))
    (case char
      ((#\") (write-string "\\\"" out))
      ((#\\) (write-string "\\\\" out))
      ((#\newline) (write-string "\\n" out))
      ((#\return) (write-string "\\r" out))
      ((#\tab) (write-string "\\t" out))
      ((#\backspace) (write-string "\\b" out))
      ((#\x0c) (write-string "\\f" out))
      (else
       (if (< n 32)
           (begin
             (write-string (if (< n 16) "\\u000" "\\u00") out)
             (write-string (number->string n 16) out))
           (write-char char out))))))

(define (write-text string out)
  (write-char #\" out)
  (string-for-each (lambda (char) (write-escaped char out)) string)
  (write-char #\" out))

(define (write-json-number number out)
  (cond ((exact-integer? number) (write number out))
        ((not (real? number)) (refuse number))
        ((exact? number) (write-json-number (inexact number) out))
        ((finite? number) (write number out))
        (else (write-string "null" out))))

(define (key? object) (or (string? object) (symbol? object)))

(define (object-list? list)
  (and (pair? (car list))
       (let loop ((rest list))
         (or (null? rest)
             (and (pair? (car rest))
                  (key? (caar rest))
                  (loop (cdr rest)))))))

(define (key-text key)
  (cond ((string? key) key)
        ((symbol? key) (symbol->string key))
        (else (error "json-stringify: a key must be a string or symbol"
                     key))))

;; Write ITEMS with (write-item item out) between brackets.
(define (write-items items write-item open close out)
  (write-string open out)
  (let loop ((rest items) (first #t))
    (if (pair? rest)
        (begin
          (if (not first) (write-string "," out))
          (write-item (car rest) out)
          (loop (cdr rest) #f))))
  (write-string close out))

(define (write-member member out)
  (write-text (key-text (car member)) out)
  (write-string ":" out)
  (write-value (cdr member) out))

(define (write-list list out)
  (cond ((not (list? list))
         (error (string-append "json-stringify: cannot convert improper list "
                               "(dotted pair) to JSON")
                list))
        ((object-list? list)
         (write-items list write-member "{" "}" out))
        (else (write-items list write-value "[" "]" out))))

(define (refuse value)
  (error "json-stringify: cannot convert scheme value to JSON" value))

(define (write-value value out)
  (cond ((string? value) (write-text value out))
        ((number? value) (write-json-number value out))
        ((null? value) (write-string "[]" out))
        ((pair? value) (write-list value out))
        ((eq? value #t) (write-string "true" out))
        ((eq? value #f) (write-string "false" out))
        ((eq? value 'null) (write-string "null" out))
        ((symbol? value)
         (error (string-append "json-stringify: only the symbol null has a "
                               "JSON form; write a string instead")
                value))
        ((vector? value)
         (write-items (vector->list value) write-value "[" "]" out))
        ((hash-table? value)
         (write-items (hash-table->alist value) write-member "{" "}" out))
        (else (refuse value))))

;;> (json-stringify value)
;;> Return the JSON text of VALUE, without spaces. A list of pairs whose cars
;;> are all strings or symbols is an object, any other list or vector an array.
;;> (json-stringify '(("a" . (1 2)) (b . null))) => "{\"a\":[1,2],\"b\":null}"
(define (json-stringify value)
  (let ((out (open-output-string)))
    (write-value value out)
    (get-output-string out)))

;;> (json-object key value ...)
;;> Return an object, also an empty one, for json-stringify.
;;> (json-stringify (json-object)) => "{}"
(define (json-object . rest)
  (let ((table (make-hash-table equal?)))
    (let loop ((rest rest))
      (if (pair? rest)
          (begin
            (hash-table-set! table (key-text (car rest)) (cadr rest))
            (loop (cddr rest)))))
    table))
