;;; (tein toml), the writer.

(define (refuse-value what value)
  (error (string-append "toml-stringify: " what) value))

(define (alist? value)
  (and (pair? value)
       (list? value)
       (let loop ((rest value))
         (or (null? rest)
             (and (pair? (car rest))
                  (string? (caar rest))
                  (loop (cdr rest)))))))

(define (alists? value)
  (and (pair? value)
       (list? value)
       (let loop ((rest value))
         (or (null? rest)
             (and (alist? (car rest)) (loop (cdr rest)))))))

(define (datetime? value)
  (and (pair? value)
       (eq? (car value) 'toml-datetime)
       (pair? (cdr value))
       (string? (cadr value))
       (null? (cddr value))))

;; The entries of an alist, sorted; of a key that occurs twice the later one.
(define (entries-of alist)
  (let ((table (make-hash-table string=?)))
    (for-each (lambda (pair) (hash-table-set! table (car pair) (cdr pair)))
              alist)
    (list-sort (lambda (a b) (string<? (car a) (car b)))
               (hash-table->alist table))))

;; -- keys and strings ---------------------------------------------------------

(define (bare-key? text)
  (and (positive? (string-length text))
       (let loop ((i 0))
         (or (= i (string-length text))
             (and (bare-key-char? (string-ref text i)) (loop (+ i 1)))))))

(define (write-key key out)
  (if (bare-key? key) (write-string key out) (write-text key out)))

(define (write-path path out)
  (write-key (car path) out)
  (if (pair? (cdr path))
      (begin (write-char #\. out) (write-path (cdr path) out))))

(define (write-text text out)
  (write-char #\" out)
  (string-for-each (lambda (char) (write-escaped char out)) text)
  (write-char #\" out))

(define (write-escaped char out)
  (case char
    ((#\" #\\) (write-char #\\ out) (write-char char out))
    ((#\newline) (write-string "\\n" out))
    ((#\return) (write-string "\\r" out))
    ((#\tab) (write-string "\\t" out))
    ((#\backspace) (write-string "\\b" out))
    ((#\x0c) (write-string "\\f" out))
    (else
     (if (control? char)
         (let ((code (number->string (char->integer char) 16)))
           (write-string "\\u" out)
           (write-string (make-string (- 4 (string-length code)) #\0) out)
           (write-string code out))
         (write-char char out)))))

;; -- values -------------------------------------------------------------------

;; ENCLOSING: the lists that VALUE is part of, so that one that holds itself is
;; noticed.
(define (write-value value out enclosing)
  (cond ((string? value) (write-text value out))
        ((exact-integer? value) (write-string (number->string value) out))
        ((and (real? value) (inexact? value)) (write-float value out))
        ((eq? value #t) (write-string "true" out))
        ((eq? value #f) (write-string "false" out))
        ((null? value) (write-string "[]" out))
        ((datetime? value) (write-datetime value out))
        ((pair? value) (write-list value out enclosing))
        (else (refuse-value "cannot convert scheme value to TOML" value))))

(define (write-float value out)
  (write-string (cond ((nan? value) "nan")
                      ((infinite? value) (if (positive? value) "inf" "-inf"))
                      (else (number->string value)))
                out))

(define (write-datetime value out)
  (let ((text (datetime-text (cadr value))))
    (if (not text)
        (error (string-append "toml-stringify: invalid datetime '"
                              (cadr value) "'")))
    (write-string text out)))

(define (write-list value out enclosing)
  (if (memq value enclosing)
      (refuse-value "cannot convert what contains itself to TOML" value))
  (if (not (list? value))
      (refuse-value "cannot convert improper list (dotted pair) to TOML" value))
  (let ((enclosing (cons value enclosing)))
    (if (alist? value)
        (write-items (entries-of value) "{ " " }" out
                     (lambda (pair)
                       (write-key (car pair) out)
                       (write-string " = " out)
                       (write-value (cdr pair) out enclosing)))
        (write-items value "[" "]" out
                     (lambda (item) (write-value item out enclosing))))))

(define (write-items items open close out write-item)
  (write-string open out)
  (write-item (car items))
  (for-each (lambda (item) (write-string ", " out) (write-item item))
            (cdr items))
  (write-string close out))

;; -- documents ----------------------------------------------------------------

(define (section? pair) (or (alist? (cdr pair)) (alists? (cdr pair))))

(define (filter-list keep? list)
  (let loop ((rest list) (out '()))
    (cond ((null? rest) (reverse out))
          ((keep? (car rest)) (loop (cdr rest) (cons (car rest) out)))
          (else (loop (cdr rest) out)))))

;; A line in front of a header, but not at the begin of the text. STARTED: a box.
(define (write-header path open close out started)
  (if (vector-ref started 0) (newline out))
  (vector-set! started 0 #t)
  (write-string open out)
  (write-path path out)
  (write-string close out)
  (newline out))

;; The entries of a table whose header is written; PATH is () for the document.
(define (write-table alist path out enclosing started)
  (if (memq alist enclosing)
      (refuse-value "cannot convert what contains itself to TOML" alist))
  (let* ((entries (entries-of alist))
         (enclosing (cons alist enclosing))
         (deeper (lambda (name) (append path (list name)))))
    (for-each (lambda (pair)
                (vector-set! started 0 #t)
                (write-key (car pair) out)
                (write-string " = " out)
                (write-value (cdr pair) out enclosing)
                (newline out))
              (filter-list (lambda (pair) (not (section? pair))) entries))
    (for-each (lambda (pair)
                (write-section (cdr pair) (deeper (car pair)) out enclosing
                               started))
              (filter-list section? entries))))

(define (write-section value path out enclosing started)
  (if (alist? value)
      (begin
        (if (not (all-sections? value))
            (write-header path "[" "]" out started))
        (write-table value path out enclosing started))
      (for-each (lambda (alist)
                  (write-header path "[[" "]]" out started)
                  (write-table alist path out enclosing started))
                value)))

(define (all-sections? alist)
  (let loop ((rest alist))
    (or (null? rest) (and (section? (car rest)) (loop (cdr rest))))))

;;> (toml-stringify alist)
;;> Return the TOML document of an alist with string keys, sorted by key.
;;> (toml-stringify '(("name" . "tein"))) => "name = \"tein\"\n"
(define (toml-stringify value . rest)
  (if (not (alist? value))
      (refuse-value "top-level value must be a table (alist)" value))
  (let ((out (open-output-string)))
    (write-table value '() out '() (vector #f))
    (get-output-string out)))
