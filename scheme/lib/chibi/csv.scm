;;; (chibi csv), the body.

(define-record-type grammar
  (make-grammar separators quote doubling? escape record comments quote-all?)
  csv-grammar?
  (separators grammar-separators set-separators!)
  (quote grammar-quote set-quote!)
  (doubling? grammar-doubling? set-doubling!)
  (escape grammar-escape set-escape!)
  (record grammar-record set-record!)
  (comments grammar-comments set-comments!)
  (quote-all? grammar-quote-all? set-quote-all!))

(define (list-of object) (if (list? object) object (list object)))

;;> (csv-grammar alist)
;;> Return a grammar. The keys: separator-chars (characters), quote-char (or #f),
;;> quote-doubling-escapes?, escape-char (or #f), record-separator (lax, lf, cr,
;;> crlf or a character), comment-chars, quote-non-numeric?. What is not said is
;;> as in default-csv-grammar.
;;> (csv-grammar? (csv-grammar '((separator-chars #\;)))) => #t
(define (csv-grammar alist)
  (let ((grammar (make-grammar '(#\,) #\" #t #f 'lax '() #f)))
    (for-each
     (lambda (pair)
       (let ((value (cdr pair)))
         (case (car pair)
           ((separator-chars) (set-separators! grammar (list-of value)))
           ((quote-char) (set-quote! grammar value))
           ((quote-doubling-escapes?) (set-doubling! grammar value))
           ((escape-char) (set-escape! grammar value))
           ((record-separator) (set-record! grammar value))
           ((comment-chars) (set-comments! grammar (list-of value)))
           ((quote-non-numeric?) (set-quote-all! grammar value))
           (else (error "csv-grammar: unknown key" (car pair))))))
     alist)
    grammar))

;;> default-csv-grammar
;;> Fields between commas, quoted by ", which is doubled inside.
(define default-csv-grammar (csv-grammar '()))

;;> default-tsv-grammar
;;> Fields between tabs, without quotes.
(define default-tsv-grammar
  (csv-grammar '((separator-chars #\tab) (quote-char . #f))))

;; -- reading ----------------------------------------------------------------

;; Does CHAR, which was read from IN, end a record? What belongs to the end is
;; read too.
(define (record-end? grammar char in)
  (case (grammar-record grammar)
    ((lax)
     (cond ((char=? char #\newline) #t)
           ((char=? char #\return)
            (if (eqv? (peek-char in) #\newline) (read-char in))
            #t)
           (else #f)))
    ((lf) (char=? char #\newline))
    ((cr) (char=? char #\return))
    ((crlf)
     (and (char=? char #\return)
          (eqv? (peek-char in) #\newline)
          (begin (read-char in) #t)))
    (else (eqv? char (grammar-record grammar)))))

(define (skip-record! grammar in)
  (let ((char (read-char in)))
    (if (not (or (eof-object? char) (record-end? grammar char in)))
        (skip-record! grammar in))))

;; Skip empty lines and comments; is there anything left?
(define (at-record? grammar in)
  (let ((char (peek-char in)))
    (cond ((eof-object? char) #f)
          ((memv char (grammar-comments grammar))
           (skip-record! grammar in)
           (at-record? grammar in))
          ((and (memv char '(#\newline #\return))
                (record-end? grammar char (begin (read-char in) in)))
           (at-record? grammar in))
          (else #t))))

;; Read a field; values: its text, and whether it was the row's last.
(define (read-field grammar in)
  (let ((out (open-output-string)))
    (let loop ((first? #t))
      (let ((char (read-char in)))
        (cond ((eof-object? char) (values (get-output-string out) #t))
              ((memv char (grammar-separators grammar))
               (values (get-output-string out) #f))
              ((eqv? char (grammar-escape grammar))
               (write-escaped in out)
               (loop #f))
              ((and first? (eqv? char (grammar-quote grammar)))
               (read-quoted grammar in out)
               (loop #f))
              ((record-end? grammar char in)
               (values (get-output-string out) #t))
              (else
               (write-char char out)
               (loop #f)))))))

(define (write-escaped in out)
  (let ((char (read-char in)))
    (if (not (eof-object? char)) (write-char char out))))

;; Behind the opening quote, up to the closing one.
(define (read-quoted grammar in out)
  (let loop ()
    (let ((char (read-char in)))
      (cond ((eof-object? char) (error "csv: a quoted field without an end"))
            ((eqv? char (grammar-escape grammar))
             (write-escaped in out)
             (loop))
            ((not (char=? char (grammar-quote grammar)))
             (write-char char out)
             (loop))
            ((and (grammar-doubling? grammar)
                  (eqv? (peek-char in) (grammar-quote grammar)))
             (write-char (read-char in) out)
             (loop))))))

;;> (csv-parser [grammar])
;;> Return a procedure (parse kons knil [port]) that folds (kons out i field) over
;;> the fields of one row; the answer is an end-of-file object where there is no
;;> row. ((csv-parser) (lambda (n i field) (+ n 1)) 0 (open-input-string "a,b"))
;;> => 2
(define (csv-parser . rest)
  (let ((grammar (if (pair? rest) (car rest) default-csv-grammar)))
    (lambda (kons knil . port)
      (let ((in (if (pair? port) (car port) (current-input-port))))
        (if (at-record? grammar in)
            (parse-row grammar kons knil in)
            (eof-object))))))

(define (parse-row grammar kons knil in)
  (let loop ((i 0) (out knil))
    (call-with-values (lambda () (read-field grammar in))
      (lambda (field last?)
        (let ((out (kons out i field)))
          (if last? out (loop (+ i 1) out)))))))

;;> (csv-skip-line [port])
;;> Skip what is left of a line.
(define (csv-skip-line . port)
  (let ((in (if (pair? port) (car port) (current-input-port))))
    (skip-record! default-csv-grammar in)))

(define (parser-of rest) (if (pair? rest) (car rest) (csv-parser)))
(define (port-of rest) (if (pair? rest) (car rest) (current-input-port)))

;; A reader whose fields come in a list that FINISH gets.
(define (row-reader parse finish)
  (lambda port
    (let ((fields (parse (lambda (out i field) (cons field out)) '()
                         (port-of port))))
      (if (eof-object? fields) fields (finish (reverse fields))))))

;;> (csv-read->list [parser])
;;> Return a procedure that reads a row as a list from a port.
;;> ((csv-read->list) (open-input-string "a,b")) => ("a" "b")
(define (csv-read->list . rest)
  (row-reader (parser-of rest) (lambda (fields) fields)))

;;> (csv-read->vector [parser])
;;> Return a procedure that reads a row as a vector from a port.
;;> ((csv-read->vector) (open-input-string "a,b")) => #("a" "b")
(define (csv-read->vector . rest)
  (row-reader (parser-of rest) list->vector))

;;> (csv-read->fixed-vector size [parser])
;;> Return a procedure that reads a row as a vector of SIZE fields from a port;
;;> more are an error, missing ones are "".
;;> ((csv-read->fixed-vector 3) (open-input-string "a,b")) => #("a" "b" "")
(define (csv-read->fixed-vector size . rest)
  (row-reader
   (parser-of rest)
   (lambda (fields)
     (if (> (length fields) size)
         (error "csv: a row with too many fields" size fields))
     (let ((row (make-vector size "")))
       (let loop ((i 0) (fields fields))
         (if (null? fields)
             row
             (begin
               (vector-set! row i (car fields))
               (loop (+ i 1) (cdr fields)))))))))

(define (column-name i)
  (string->symbol (string-append "col-" (number->string i))))

;;> (csv-read->sxml [row-name [column-names [parser]]])
;;> Return a procedure that reads a row as (row (column text) ...) from a port.
;;> ((csv-read->sxml 'r '(x)) (open-input-string "a,b")) =>
;;> (r (x "a") (col-1 "b"))
(define (csv-read->sxml . rest)
  (let* ((name (if (pair? rest) (car rest) 'row))
         (rest (if (pair? rest) (cdr rest) '()))
         (columns (if (pair? rest) (car rest) '()))
         (rest (if (pair? rest) (cdr rest) '())))
    (row-reader
     (parser-of rest)
     (lambda (fields)
       (let loop ((i 0) (fields fields) (columns columns) (out '()))
         (if (null? fields)
             (cons name (reverse out))
             (let ((column (if (pair? columns) (car columns) (column-name i))))
               (loop (+ i 1) (cdr fields)
                     (if (pair? columns) (cdr columns) '())
                     (cons (list column (car fields)) out)))))))))

;;> (csv-fold kons knil [reader [port]])
;;> Fold (kons row out) over all rows.
;;> (csv-fold cons '() (csv-read->list) (open-input-string "a\nb")) =>
;;> (("b") ("a"))
(define (csv-fold kons knil . rest)
  (let* ((read (if (pair? rest) (car rest) (csv-read->list)))
         (in (port-of (if (pair? rest) (cdr rest) '()))))
    (let loop ((out knil))
      (let ((row (read in)))
        (if (eof-object? row) out (loop (kons row out)))))))

;;> (csv-map f [reader [port]])
;;> Return the list of (f row) for all rows.
;;> (csv-map length (csv-read->list) (open-input-string "a,b\nc")) => (2 1)
(define (csv-map f . rest)
  (reverse (apply csv-fold (lambda (row out) (cons (f row) out)) '() rest)))

;;> (csv-for-each f [reader [port]])
;;> Call (f row) for all rows.
(define (csv-for-each f . rest)
  (apply csv-fold (lambda (row out) (f row) out) #t rest))

;;> (csv->list [reader [port]])
;;> Return the list of all rows.
;;> (csv->list (csv-read->list) (open-input-string "a\nb")) => (("a") ("b"))
(define (csv->list . rest) (apply csv-map (lambda (row) row) rest))

;;> (csv->sxml [row-name [column-names [parser]]])
;;> Return a procedure that reads all rows from a port as (*TOP* row ...).
;;> ((csv->sxml 'r '(x)) (open-input-string "a")) => (*TOP* (r (x "a")))
(define (csv->sxml . rest)
  (let ((read (apply csv-read->sxml rest)))
    (lambda port (cons '*TOP* (csv->list read (port-of port))))))

;;> (csv-num-rows [parser [port]])
;;> Return how many rows there are.
;;> (csv-num-rows (csv-parser) (open-input-string "a\nb")) => 2
(define (csv-num-rows . rest)
  (csv-fold (lambda (row n) (+ n 1)) 0
            (csv-read->list (parser-of rest))
            (port-of (if (pair? rest) (cdr rest) '()))))

;; -- writing ----------------------------------------------------------------

(define (field-text field)
  (if (string? field)
      field
      (let ((out (open-output-string)))
        (display field out)
        (get-output-string out))))

(define (special? grammar char)
  (or (memv char (grammar-separators grammar))
      (eqv? char (grammar-quote grammar))
      (eqv? char (grammar-escape grammar))
      (memv char '(#\newline #\return))))

(define (any-char? satisfied? text)
  (let loop ((i 0))
    (and (< i (string-length text))
         (or (satisfied? (string-ref text i)) (loop (+ i 1))))))

(define (needs-quotes? grammar field text)
  (or (and (grammar-quote-all? grammar) (not (number? field)))
      (and (> (string-length text) 0)
           (memv (string-ref text 0) (grammar-comments grammar)))
      (any-char? (lambda (char) (special? grammar char)) text)))

(define (write-field grammar field out)
  (let ((text (field-text field))
        (mark (grammar-quote grammar)))
    (cond ((not (needs-quotes? grammar field text)) (write-string text out))
          (mark
           (write-char mark out)
           (write-marked grammar text out)
           (write-char mark out))
          ((grammar-escape grammar)
           (string-for-each
            (lambda (char)
              (if (special? grammar char)
                  (write-char (grammar-escape grammar) out))
              (write-char char out))
            text))
          (else (error "csv: a field that this grammar cannot write" text)))))

;; Inside quotes: the quote and the escape character are escaped.
(define (write-marked grammar text out)
  (let ((mark (grammar-quote grammar))
        (escape (grammar-escape grammar)))
    (string-for-each
     (lambda (char)
       (cond ((eqv? char escape) (write-char escape out))
             ((not (char=? char mark)) #f)
             ((grammar-doubling? grammar) (write-char mark out))
             (escape (write-char escape out))
             (else (error "csv: a field that this grammar cannot write" text)))
       (write-char char out))
     text)))

(define (record-text grammar)
  (case (grammar-record grammar)
    ((lax lf) "\n")
    ((cr) "\r")
    ((crlf) "\r\n")
    (else (string (grammar-record grammar)))))

;;> (csv-writer [grammar])
;;> Return a procedure (write row [port]) that writes a list or vector of fields,
;;> quoted where need be. (let ((out (open-output-string))) ((csv-writer)
;;> '("a,b" 1) out) (get-output-string out)) => "\"a,b\",1\n"
(define (csv-writer . rest)
  (let ((grammar (if (pair? rest) (car rest) default-csv-grammar)))
    (lambda (row . port)
      (let ((out (if (pair? port) (car port) (current-output-port))))
        (let loop ((fields (if (vector? row) (vector->list row) row))
                   (first? #t))
          (if (pair? fields)
              (begin
                (if (not first?)
                    (write-char (car (grammar-separators grammar)) out))
                (write-field grammar (car fields) out)
                (loop (cdr fields) #f))))
        (write-string (record-text grammar) out)))))

;;> (csv-write [writer])
;;> Return a procedure (write rows [port]) that writes a list of rows. WRITER, a
;;> grammar or what csv-writer returns, is at first (csv-writer).
(define (csv-write . rest)
  (let ((write-row (cond ((null? rest) (csv-writer))
                         ((csv-grammar? (car rest)) (csv-writer (car rest)))
                         (else (car rest)))))
    (lambda (rows . port)
      (for-each (lambda (row) (apply write-row row port)) rows))))
