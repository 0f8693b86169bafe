;;; (tein toml), the reader.
;;;
;;; A table under construction knows how it came to be: a header named it
;;; (defined), a header went through it (implicit), a dotted key made it
;;; (dotted), or it is an inline table and closed. That decides what may be added.

(define-record-type <table>
  (make-table state entries)
  table?
  (state table-state set-table-state!)
  (entries table-entries))

(define (new-table state) (make-table state (make-hash-table string=?)))

;; [[header]]s of one name: the tables, the last one first.
(define-record-type <tables>
  (make-tables items)
  tables?
  (items tables-items set-tables-items!))

;; -- the text and the place in it -------------------------------------------

(define-record-type <input>
  (make-input text at)
  input?
  (text input-text)
  (at input-at set-input-at!))

(define (peek in . ahead)
  (let ((i (+ (input-at in) (if (pair? ahead) (car ahead) 0)))
        (text (input-text in)))
    (and (< i (string-length text)) (string-ref text i))))

(define (advance! in n) (set-input-at! in (+ (input-at in) n)))

(define (take! in)
  (let ((char (peek in)))
    (if (not char) (fail in "unexpected end of the text"))
    (advance! in 1)
    char))

(define (fail in reason)
  (let* ((text (input-text in))
         (end (min (input-at in) (string-length text))))
    (let loop ((i 0) (line 1) (column 1))
      (cond ((= i end)
             (error (string-append "toml-parse: " reason " at line "
                                   (number->string line) " column "
                                   (number->string column))))
            ((char=? (string-ref text i) #\newline)
             (loop (+ i 1) (+ line 1) 1))
            (else (loop (+ i 1) line (+ column 1)))))))

(define (looking-at? in prefix)
  (let loop ((i 0))
    (or (= i (string-length prefix))
        (and (eqv? (peek in i) (string-ref prefix i))
             (loop (+ i 1))))))

(define (expect! in char)
  (if (eqv? (peek in) char)
      (advance! in 1)
      (fail in (string-append "expected " (string char)))))

(define (skip-blanks! in)
  (if (memv (peek in) '(#\space #\tab))
      (begin (advance! in 1) (skip-blanks! in))))

;; A control character that may not stand in comments and strings.
(define (control? char)
  (and (or (char<? char #\space) (char=? char #\delete))
       (not (char=? char #\tab))))

(define (skip-comment! in)
  (if (eqv? (peek in) #\#)
      (let loop ()
        (let ((char (peek in)))
          (cond ((or (not char) (char=? char #\newline)
                     (looking-at? in "\r\n"))
                 #t)
                ((control? char) (fail in "a control character in a comment"))
                (else (advance! in 1) (loop)))))))

(define (newline! in)
  (cond ((eqv? (peek in) #\newline) (advance! in 1) #t)
        ((looking-at? in "\r\n") (advance! in 2) #t)
        (else #f)))

;; Blanks, comments and line ends.
(define (skip-lines! in)
  (skip-blanks! in)
  (skip-comment! in)
  (if (newline! in) (skip-lines! in)))

(define (end-line! in)
  (skip-blanks! in)
  (skip-comment! in)
  (if (and (peek in) (not (newline! in)))
      (fail in "expected the end of the line")))

;; -- keys ---------------------------------------------------------------------

(define (bare-key-char? char)
  (and char
       (or (char<=? #\a char #\z) (char<=? #\A char #\Z) (char<=? #\0 char #\9)
           (memv char '(#\_ #\-)))
       #t))

(define (read-simple-key in)
  (case (peek in)
    ((#\") (advance! in 1) (read-basic in))
    ((#\') (advance! in 1) (read-literal in))
    (else
     (let ((start (input-at in)))
       (let loop ()
         (if (bare-key-char? (peek in)) (begin (advance! in 1) (loop))))
       (if (= start (input-at in)) (fail in "expected a key"))
       (substring (input-text in) start (input-at in))))))

;; A list of one or more names.
(define (read-key in)
  (let loop ((names (list (read-simple-key in))))
    (skip-blanks! in)
    (if (eqv? (peek in) #\.)
        (begin
          (advance! in 1)
          (skip-blanks! in)
          (loop (cons (read-simple-key in) names)))
        (reverse names))))

;; -- strings ------------------------------------------------------------------

;; Behind the opening quote.
(define (read-literal in)
  (let ((start (input-at in)))
    (let loop ()
      (let ((char (take! in)))
        (cond ((char=? char #\')
               (substring (input-text in) start (- (input-at in) 1)))
              ((control? char) (fail in "a control character in a string"))
              (else (loop)))))))

(define (read-basic in)
  (let ((out (open-output-string)))
    (let loop ()
      (let ((char (take! in)))
        (cond ((char=? char #\") (get-output-string out))
              ((char=? char #\\) (write-char (read-escape in) out) (loop))
              ((control? char) (fail in "a control character in a string"))
              (else (write-char char out) (loop)))))))

(define (read-escape in)
  (let ((char (take! in)))
    (case char
      ((#\b) #\backspace) ((#\t) #\tab) ((#\n) #\newline) ((#\f) #\x0c)
      ((#\r) #\return) ((#\e) #\escape) ((#\" #\\) char)
      ((#\x) (read-code in 2))
      ((#\u) (read-code in 4))
      ((#\U) (read-code in 8))
      (else (fail in "unknown escape")))))

(define (read-code in count)
  (let loop ((i 0) (code 0))
    (cond ((< i count)
           (let ((digit (digit-of (take! in) 16)))
             (if (not digit) (fail in "expected a hexadecimal digit"))
             (loop (+ i 1) (+ (* code 16) digit))))
          ((or (<= #xD800 code #xDFFF) (> code #x10FFFF))
           (fail in "an escape that is no character"))
          (else (integer->char code)))))

(define (digit-of char radix)
  (let ((value (cond ((not char) #f)
                     ((char<=? #\0 char #\9) (- (char->integer char) 48))
                     ((char<=? #\a char #\f) (- (char->integer char) 87))
                     ((char<=? #\A char #\F) (- (char->integer char) 55))
                     (else #f))))
    (and value (< value radix) value)))

;; Behind the opening quotes of a string over several lines; QUOTE ends it. Up to
;; two quotes may stand before the closing three.
(define (read-multiline in quote)
  (let ((out (open-output-string)))
    (newline! in)
    (let loop ()
      (cond ((looking-at? in (make-string 3 quote))
             (advance! in 3)
             (closing-quotes! in quote out)
             (get-output-string out))
            ((newline! in) (write-char #\newline out) (loop))
            (else
             (let ((char (take! in)))
               (cond ((and (char=? char #\\) (char=? quote #\"))
                      (if (not (skip-line-end! in))
                          (write-char (read-escape in) out)))
                     ((control? char)
                      (fail in "a control character in a string"))
                     (else (write-char char out)))
               (loop)))))))

(define (closing-quotes! in quote out)
  (let loop ((i 0))
    (if (and (< i 2) (eqv? (peek in) quote))
        (begin (advance! in 1) (write-char quote out) (loop (+ i 1))))))

;; Behind a backslash: if only blanks follow on the line, skip them, the line end
;; and all blanks and line ends behind it.
(define (skip-line-end! in)
  (let ((start (input-at in)))
    (skip-blanks! in)
    (if (newline! in)
        (let loop ()
          (skip-blanks! in)
          (if (newline! in) (loop) #t))
        (begin (set-input-at! in start) #f))))

;; -- numbers, dates, words ----------------------------------------------------

(define (word-char? char)
  (and char (or (bare-key-char? char) (memv char '(#\+ #\. #\:))) #t))

;; The characters of a value without quotes; a date and its time may stand apart.
(define (read-word in)
  (let ((start (input-at in)))
    (let loop ()
      (cond ((word-char? (peek in)) (advance! in 1) (loop))
            ((and (eqv? (peek in) #\space)
                  (= (- (input-at in) start) 10)
                  (eqv? (string-ref (input-text in) (+ start 4)) #\-)
                  (digit-of (peek in 1) 10))
             (advance! in 1)
             (loop))))
    (substring (input-text in) start (input-at in))))

(define (read-plain in)
  (let* ((start (input-at in))
         (word (read-word in)))
    (cond ((string=? word "true") #t)
          ((string=? word "false") #f)
          ((special-float word))
          ((datetime-text word)
           => (lambda (text) (list 'toml-datetime text)))
          ((number-of word))
          (else
           (set-input-at! in start)
           (fail in "expected a value")))))

(define (special-float word)
  (cond ((member word '("inf" "+inf")) +inf.0)
        ((string=? word "-inf") -inf.0)
        ((member word '("nan" "+nan" "-nan")) +nan.0)
        (else #f)))

;; WORD without underscores, each of which has to stand between two digits; or #f.
(define (without-underscores word radix)
  (let ((n (string-length word)) (out (open-output-string)))
    (let loop ((i 0))
      (cond ((= i n) (get-output-string out))
            ((not (char=? (string-ref word i) #\_))
             (write-char (string-ref word i) out)
             (loop (+ i 1)))
            ((and (< 0 i (- n 1))
                  (digit-of (string-ref word (- i 1)) radix)
                  (digit-of (string-ref word (+ i 1)) radix))
             (loop (+ i 1)))
            (else #f)))))

;; Where the digits of TEXT from START on end.
(define (digits-end text start radix)
  (let loop ((i start))
    (if (and (< i (string-length text)) (digit-of (string-ref text i) radix))
        (loop (+ i 1))
        i)))

(define (number-of word)
  (let ((radix (and (> (string-length word) 2)
                    (char=? (string-ref word 0) #\0)
                    (cdr (or (assv (string-ref word 1)
                                   '((#\x . 16) (#\o . 8) (#\b . 2)))
                             '(#f . #f))))))
    (if radix
        (let ((text (without-underscores (substring word 2 (string-length word))
                                         radix)))
          (and text
               (= (digits-end text 0 radix) (string-length text))
               (string->number text radix)))
        (let ((text (without-underscores word 10)))
          (and text (decimal-shape? text) (string->number text))))))

;; [+-] digits without leading zeros [. digits] [e [+-] digits]
(define (decimal-shape? text)
  (let* ((n (string-length text))
         (at (lambda (i . chars) (and (< i n) (memv (string-ref text i) chars))))
         (start (if (at 0 #\+ #\-) 1 0))
         (whole (digits-end text start 10)))
    (and (> whole start)
         (or (= whole (+ start 1)) (not (at start #\0)))
         (let* ((point (at whole #\.))
                (fraction (if point (digits-end text (+ whole 1) 10) whole)))
           (and (or (not point) (> fraction (+ whole 1)))
                (if (at fraction #\e #\E)
                    (let ((first (if (at (+ fraction 1) #\+ #\-)
                                     (+ fraction 2)
                                     (+ fraction 1))))
                      (and (> (digits-end text first 10) first)
                           (= (digits-end text first 10) n)))
                    (= fraction n)))))))

;; -- dates and times ----------------------------------------------------------

;; The number that exactly the digits [START, END) of TEXT are, else #f.
(define (digits-at text start end)
  (and (<= end (string-length text))
       (= (digits-end (substring text 0 end) start 10) end)
       (string->number (substring text start end))))

(define (char-at text i chars)
  (and (< i (string-length text)) (memv (string-ref text i) chars) #t))

(define (days-in year month)
  (cond ((memv month '(4 6 9 11)) 30)
        ((not (= month 2)) 31)
        ((and (zero? (modulo year 4))
              (or (positive? (modulo year 100)) (zero? (modulo year 400))))
         29)
        (else 28)))

(define (date? text)
  (let ((year (digits-at text 0 4))
        (month (digits-at text 5 7))
        (day (digits-at text 8 10)))
    (and year month day
         (char-at text 4 '(#\-)) (char-at text 7 '(#\-))
         (<= 1 month 12)
         (<= 1 day (days-in year month)))))

;; A time that begins at START: its text with seconds and where it ends, or #f.
(define (time-at text start)
  (let ((hour (digits-at text start (+ start 2)))
        (minute (digits-at text (+ start 3) (+ start 5)))
        (end (+ start 5)))
    (and hour minute
         (char-at text (+ start 2) '(#\:))
         (< hour 24) (< minute 60)
         (if (char-at text end '(#\:))
             (let ((second (digits-at text (+ end 1) (+ end 3))))
               (and second
                    (<= second 60)
                    (let ((stop (fraction-end text (+ end 3))))
                      (and stop (cons (substring text start stop) stop)))))
             (cons (string-append (substring text start end) ":00") end)))))

(define (fraction-end text i)
  (if (char-at text i '(#\.))
      (let ((end (digits-end text (+ i 1) 10)))
        (and (> end (+ i 1)) end))
      i))

;; What stands behind a time: "", "Z" or an offset; #f for anything else.
(define (zone-at text i)
  (cond ((= i (string-length text)) "")
        ((char-at text i '(#\Z #\z))
         (and (= (+ i 1) (string-length text)) "Z"))
        ((char-at text i '(#\+ #\-))
         (let ((time (time-at text (+ i 1))))
           (and time
                (= (cdr time) (string-length text) (+ i 6))
                (substring text i (string-length text)))))
        (else #f)))

;; The normal form of a date, a time or both; #f if TEXT is none.
(define (datetime-text text)
  (let ((n (string-length text)))
    (cond ((and (> n 2) (char=? (string-ref text 2) #\:))
           (let ((time (time-at text 0)))
             (and time (= (cdr time) n) (car time))))
          ((not (date? text)) #f)
          ((= n 10) text)
          ((char-at text 10 '(#\T #\t #\space))
           (let* ((time (time-at text 11))
                  (zone (and time (zone-at text (cdr time)))))
             (and zone
                  (string-append (substring text 0 10) "T" (car time) zone))))
          (else #f))))

;; -- values -------------------------------------------------------------------

(define (read-value in)
  (case (peek in)
    ((#\") (read-quoted in #\" read-basic))
    ((#\') (read-quoted in #\' read-literal))
    ((#\[) (advance! in 1) (read-array in))
    ((#\{) (advance! in 1) (read-inline in))
    (else (read-plain in))))

(define (read-quoted in quote read-short)
  (if (looking-at? in (make-string 3 quote))
      (begin (advance! in 3) (read-multiline in quote))
      (begin (advance! in 1) (read-short in))))

(define (read-array in)
  (let loop ((items '()))
    (skip-lines! in)
    (if (eqv? (peek in) #\])
        (begin (advance! in 1) (reverse items))
        (let ((items (cons (read-value in) items)))
          (skip-lines! in)
          (if (eqv? (peek in) #\,)
              (begin (advance! in 1) (loop items))
              (begin (expect! in #\]) (reverse items)))))))

(define (read-inline in)
  (let ((table (new-table 'dotted)))
    (let loop ()
      (skip-lines! in)
      (if (eqv? (peek in) #\})
          (advance! in 1)
          (begin
            (read-pair! in table)
            (skip-lines! in)
            (if (eqv? (peek in) #\,)
                (begin (advance! in 1) (loop))
                (expect! in #\})))))
    (close! table)
    table))

;; Nothing may be added to an inline table, nor to the tables that it holds.
(define (close! table)
  (set-table-state! table 'closed)
  (hash-table-for-each
   (lambda (key value) (if (table? value) (close! value)))
   (table-entries table)))

;; -- tables -------------------------------------------------------------------

(define (entry table name) (hash-table-ref/default (table-entries table) name #f))

(define (add-entry! in table name value)
  (if (hash-table-contains? (table-entries table) name)
      (fail in (string-append "the key " name " occurs twice")))
  (hash-table-set! (table-entries table) name value))

(define (refuse-key in name)
  (fail in (string-append "the key " name " is no table that can be added to")))

;; key = value
(define (read-pair! in table)
  (let ((names (read-key in)))
    (expect! in #\=)
    (skip-blanks! in)
    (let ((value (read-value in)))
      (let loop ((table table) (names names))
        (if (null? (cdr names))
            (add-entry! in table (car names) value)
            (loop (dotted-step in table (car names)) (cdr names)))))))

(define (dotted-step in table name)
  (let ((found (entry table name)))
    (cond ((and (table? found) (eq? (table-state found) 'dotted)) found)
          ((hash-table-contains? (table-entries table) name)
           (refuse-key in name))
          (else
           (let ((new (new-table 'dotted)))
             (add-entry! in table name new)
             new)))))

(define (header-step in table name)
  (let ((found (entry table name)))
    (cond ((tables? found) (car (tables-items found)))
          ((and (table? found) (not (eq? (table-state found) 'closed))) found)
          ((hash-table-contains? (table-entries table) name)
           (refuse-key in name))
          (else
           (let ((new (new-table 'implicit)))
             (add-entry! in table name new)
             new)))))

;; The table that [NAMES] opens.
(define (open-table in root names)
  (let loop ((table root) (names names))
    (if (pair? (cdr names))
        (loop (header-step in table (car names)) (cdr names))
        (let ((found (entry table (car names))))
          (if (and (table? found) (eq? (table-state found) 'implicit))
              (begin (set-table-state! found 'defined) found)
              (let ((new (new-table 'defined)))
                (add-entry! in table (car names) new)
                new))))))

;; The table that [[NAMES]] adds.
(define (open-tables in root names)
  (let loop ((table root) (names names))
    (if (pair? (cdr names))
        (loop (header-step in table (car names)) (cdr names))
        (let ((found (entry table (car names)))
              (new (new-table 'defined)))
          (if (tables? found)
              (set-tables-items! found (cons new (tables-items found)))
              (add-entry! in table (car names) (make-tables (list new))))
          new))))

(define (read-header in root)
  (let ((several? (looking-at? in "[[")))
    (advance! in (if several? 2 1))
    (skip-blanks! in)
    (let ((names (read-key in)))
      (expect! in #\])
      (if several? (expect! in #\]))
      ((if several? open-tables open-table) in root names))))

;; What was read as plain data: tables as sorted alists.
(define (plain value)
  (cond ((table? value)
         (map (lambda (pair) (cons (car pair) (plain (cdr pair))))
              (list-sort (lambda (a b) (string<? (car a) (car b)))
                         (hash-table->alist (table-entries value)))))
        ((tables? value) (map plain (reverse (tables-items value))))
        ((and (pair? value) (not (eq? (car value) 'toml-datetime)))
         (map plain value))
        (else value)))

;;> (toml-parse string)
;;> Return the TOML document STRING as an alist with string keys, sorted.
;;> (toml-parse "a = [1, 2.5]") => (("a" 1 2.5))
(define (toml-parse text . rest)
  (if (not (string? text))
      (error "toml-parse: expected string argument" text))
  (let ((in (make-input text 0)) (root (new-table 'defined)))
    (if (eqv? (peek in) #\xFEFF) (advance! in 1))
    (let loop ((table root))
      (skip-lines! in)
      (case (peek in)
        ((#f) (plain root))
        ((#\[)
         (let ((table (read-header in root)))
           (end-line! in)
           (loop table)))
        (else
         (read-pair! in table)
         (end-line! in)
         (loop table))))))
