;;; Tools for CSV text (RFC 4180: quotes, doubled quotes, line breaks in fields).

(define (argument args name default)
  (let ((found (assoc name args)))
    (if found (cdr found) default)))

(define (chars->string chars) (list->string (reverse chars)))

;; The rows of TEXT, each a list of fields.
(define (parse-csv text separator)
  (define end (string-length text))
  (define (add-row fields rows)
    (cons (reverse fields) rows))
  (define (plain i field fields rows)
    (if (= i end)
        (if (and (null? field) (null? fields))
            (reverse rows)
            (reverse (add-row (cons (chars->string field) fields) rows)))
        (let ((c (string-ref text i)))
          (cond ((char=? c separator)
                 (plain (+ i 1) '() (cons (chars->string field) fields) rows))
                ((char=? c #\newline)
                 (if (and (null? field) (null? fields))
                     (plain (+ i 1) '() '() rows)
                     (plain (+ i 1) '() '()
                            (add-row (cons (chars->string field) fields)
                                     rows))))
                ((char=? c #\return) (plain (+ i 1) field fields rows))
                ((and (char=? c #\") (null? field))
                 (quoted (+ i 1) '() fields rows))
                (else (plain (+ i 1) (cons c field) fields rows))))))
  (define (quoted i field fields rows)
    (if (= i end)
        (error "a quoted field is not closed" (chars->string field))
        (let ((c (string-ref text i)))
          (cond ((not (char=? c #\")) (quoted (+ i 1) (cons c field) fields rows))
                ((and (< (+ i 1) end) (char=? (string-ref text (+ i 1)) #\"))
                 (quoted (+ i 2) (cons #\" field) fields rows))
                (else (closed (+ i 1) field fields rows))))))
  ;; Behind a closing quote: only a separator or the end of the line.
  (define (closed i field fields rows)
    (cond ((= i end)
           (reverse (add-row (cons (chars->string field) fields) rows)))
          ((char=? (string-ref text i) separator)
           (plain (+ i 1) '() (cons (chars->string field) fields) rows))
          ((char=? (string-ref text i) #\newline)
           (plain (+ i 1) '() '()
                  (add-row (cons (chars->string field) fields) rows)))
          (else (closed (+ i 1) field fields rows))))
  (plain 0 '() '() '()))

(define (rows-of args)
  (let ((rows (parse-csv (argument args "csv" "")
                         (string-ref (argument args "separator" ",") 0))))
    (if (null? rows)
        (error "the CSV text is empty")
        rows)))

(define (row->object header row)
  (let loop ((header header) (row row) (done '()))
    (if (null? header)
        (reverse done)
        (loop (cdr header)
              (if (pair? row) (cdr row) '())
              (cons (cons (car header) (if (pair? row) (car row) "")) done)))))

(define-tool csv_parse
  (description "Parse CSV text with a header line into a list of objects.")
  (category "memory")
  (parameters
   '((csv . ((type . "string") (description . "The CSV text")))
     (separator . ((type . "string") (description . "Between fields")
                   (enum . ("," ";" "\t")) (default . ",")))))
  (execute
   (lambda (args)
     (let ((rows (rows-of args)))
       (map (lambda (row) (row->object (car rows) row)) (cdr rows))))))

;; The exact number meant by a field, or #f.
(define (field->number field)
  (let ((n (string->number (string-append "#e" field))))
    (and n (real? n) n)))

(define (column rows index)
  (map (lambda (row) (if (< index (length row)) (list-ref row index) ""))
       rows))

(define (show-number n)
  (if (integer? n)
      (number->string n)
      (number->string (/ (round (* 100 (inexact n))) 100))))

(define (numeric-summary name numbers)
  (let ((sum (apply + numbers)))
    (string-append
     name ": " (number->string (length numbers)) " numbers, sum "
     (show-number sum) ", mean " (show-number (/ sum (length numbers)))
     ", min " (show-number (apply min numbers))
     ", max " (show-number (apply max numbers)))))

(define (distinct items)
  (let loop ((items items) (seen '()))
    (cond ((null? items) (length seen))
          ((member (car items) seen) (loop (cdr items) seen))
          (else (loop (cdr items) (cons (car items) seen))))))

(define (column-summary name fields)
  (let* ((filled (let loop ((fields fields) (done '()))
                   (cond ((null? fields) (reverse done))
                         ((string=? (car fields) "") (loop (cdr fields) done))
                         (else (loop (cdr fields) (cons (car fields) done))))))
         (numbers (map field->number filled)))
    (if (and (pair? numbers) (not (memv #f numbers)))
        (numeric-summary name numbers)
        (string-append name ": " (number->string (length filled)) " texts, "
                       (number->string (distinct filled)) " distinct"))))

(define (join items between)
  (if (null? items)
      ""
      (let loop ((items (cdr items)) (done (list (car items))))
        (if (null? items)
            (apply string-append (reverse done))
            (loop (cdr items) (cons (car items) (cons between done)))))))

(define (iota-to n)
  (let loop ((i (- n 1)) (done '()))
    (if (< i 0) done (loop (- i 1) (cons i done)))))

(define-tool csv_summary
  (description "Rows, and for each column its numbers or its distinct texts.")
  (category "memory")
  (parameters
   '((csv . ((type . "string") (description . "The CSV text")))
     (separator . ((type . "string") (description . "Between fields")
                   (enum . ("," ";" "\t")) (default . ",")))))
  (execute
   (lambda (args)
     (let* ((rows (rows-of args))
            (header (car rows)))
       (join (cons (string-append (number->string (length (cdr rows))) " rows")
                   (map (lambda (index)
                          (column-summary (list-ref header index)
                                          (column (cdr rows) index)))
                        (iota-to (length header))))
             "\n")))))

(define (escape-cell text)
  (apply string-append
         (map (lambda (c)
                (cond ((char=? c #\|) "\\|")
                      ((char=? c #\newline) "<br>")
                      (else (string c))))
              (string->list text))))

(define (table-line cells)
  (string-append "| " (join (map escape-cell cells) " | ") " |"))

(define (padded row width)
  (if (< (length row) width) (padded (append row '("")) width) row))

(define-tool csv_to_markdown
  (description "Turn CSV text with a header line into a Markdown table.")
  (category "memory")
  (parameters
   '((csv . ((type . "string") (description . "The CSV text")))
     (separator . ((type . "string") (description . "Between fields")
                   (enum . ("," ";" "\t")) (default . ",")))))
  (execute
   (lambda (args)
     (let* ((rows (rows-of args))
            (width (length (car rows))))
       (join (cons (table-line (car rows))
                   (cons (table-line (map (lambda (cell) "---") (car rows)))
                         (map (lambda (row) (table-line (padded row width)))
                              (cdr rows))))
             "\n")))))
