;;; (chibi mime), the body.

;;> (assoc-ref alist key [same?])
;;> Return the value of KEY, or #f.
(define (assoc-ref alist key . same?)
  (let ((pair (apply assoc key alist same?)))
    (and pair (cdr pair))))

(define (same-name? a b)
  (and (or (string? a) (symbol? a))
       (or (string? b) (symbol? b))
       (string-ci=? (name-text a) (name-text b))))

(define (name-text name) (if (symbol? name) (symbol->string name) name))

;;> (mime-ref alist key [default])
;;> Return the value of a header or parameter, in any case, or DEFAULT, or #f.
;;> (mime-ref '((subject . "x")) "Subject") => "x"
(define (mime-ref alist key . default)
  (or (assoc-ref alist key same-name?)
      (and (pair? default) (car default))))

;; -- ports of text or bytes -------------------------------------------------

;; The next line without its end, or an end-of-file object.
(define (next-line port)
  (if (textual-port? port)
      (let ((line (read-line port)))
        (if (string? line) (without-return line) line))
      (let loop ((out '()))
        (let ((byte (read-u8 port)))
          (cond ((and (eof-object? byte) (null? out)) byte)
                ((or (eof-object? byte) (= byte 10))
                 (without-return
                  (utf8->string (apply bytevector (reverse out)))))
                (else (loop (cons byte out))))))))

(define (without-return line)
  (let ((n (string-length line)))
    (if (and (> n 0) (char=? (string-ref line (- n 1)) #\return))
        (substring line 0 (- n 1))
        line)))

;; -- headers ----------------------------------------------------------------

(define (continuation? line)
  (and (> (string-length line) 0)
       (memv (string-ref line 0) '(#\space #\tab))))

;; Values: the lines of a header's block, joined where they go on, in order.
(define (header-lines port)
  (let loop ((out '()))
    (let ((line (next-line port)))
      (cond ((or (eof-object? line) (string=? line "")) (reverse out))
            ((and (continuation? line) (pair? out))
             (loop (cons (string-append (car out) " " (string-trim-left line))
                         (cdr out))))
            (else (loop (cons line out)))))))

;;> (mime-header-fold kons knil [port])
;;> Fold (kons name value out) over the headers that PORT reads, up to an empty
;;> line; names are symbols in lower case.
(define (mime-header-fold kons knil . port)
  (let loop ((lines (header-lines (if (pair? port)
                                      (car port)
                                      (current-input-port))))
             (out knil))
    (if (null? lines)
        out
        (let* ((line (car lines))
               (colon (string-find line #\:)))
          (loop (cdr lines)
                (if (< colon (string-length line))
                    (kons (string->symbol
                           (string-downcase
                            (string-trim (substring line 0 colon))))
                          (string-trim (substring line (+ colon 1)
                                                  (string-length line)))
                          out)
                    out))))))

;;> (mime-headers->list [port])
;;> Return the alist of the headers that PORT reads.
(define (mime-headers->list . port)
  (reverse (apply mime-header-fold
                  (lambda (name value out) (cons (cons name value) out))
                  '() port)))

;; -- parameters -------------------------------------------------------------

;; The parts of TEXT between ; or , outside quotes.
(define (split-parameters text)
  (let loop ((chars (string->list text)) (quoted? #f) (part '()) (out '()))
    (define (done) (cons (string-trim (list->string (reverse part))) out))
    (cond ((null? chars) (reverse (done)))
          ((char=? (car chars) #\")
           (loop (cdr chars) (not quoted?) (cons (car chars) part) out))
          ((and (not quoted?) (memv (car chars) '(#\; #\,)))
           (loop (cdr chars) #f '() (done)))
          (else (loop (cdr chars) quoted? (cons (car chars) part) out)))))

(define (unquoted text)
  (let ((n (string-length text)))
    (if (and (> n 1)
             (char=? (string-ref text 0) #\")
             (char=? (string-ref text (- n 1)) #\"))
        (substring text 1 (- n 1))
        text)))

(define (parse-parameter text)
  (let ((equals (string-find text #\=)))
    (cons (string->symbol (string-downcase
                           (string-trim (substring text 0 equals))))
          (if (< equals (string-length text))
              (unquoted (string-trim (substring text (+ equals 1)
                                                (string-length text))))
              ""))))

(define (non-empty strings)
  (cond ((null? strings) '())
        ((string=? (car strings) "") (non-empty (cdr strings)))
        (else (cons (car strings) (non-empty (cdr strings))))))

;;> (mime-parse-content-type string)
;;> Return the type and the alist of parameters.
;;> (mime-parse-content-type "text/html; CHARSET=UTF-8") =>
;;> (text/html (charset . "UTF-8"))
(define (mime-parse-content-type string)
  (let ((parts (non-empty (split-parameters string))))
    (if (null? parts)
        '()
        (cons (string->symbol (string-downcase (car parts)))
              (map parse-parameter (cdr parts))))))

;; -- encoded words ----------------------------------------------------------

;; Where a word =?charset?B?text?= that begins at I ends, or #f.
(define (word-end string i)
  (let* ((one (string-find string #\? (min (+ i 2) (string-length string))))
         (two (string-find string #\? (min (+ one 1) (string-length string))))
         (end (and (< (+ two 1) (string-length string))
                   (string-contains string "?=" (+ two 1)))))
    (and end (= (- two one) 2) (+ end 2))))

(define (decode-word string i end)
  (let* ((one (string-find string #\? (+ i 2)))
         (kind (string-ref string (+ one 1)))
         (text (substring string (+ one 3) (- end 2))))
    (case kind
      ((#\B #\b) (base64-decode-string text))
      ((#\Q #\q) (quoted-printable-decode-string text #t))
      (else (substring string i end)))))

(define (only-blanks? string start end)
  (or (= start end)
      (and (char-whitespace? (string-ref string start))
           (only-blanks? string (+ start 1) end))))

;;> (mime-decode-header string)
;;> Return STRING with its encoded words, in UTF-8, decoded.
;;> (mime-decode-header "=?UTF-8?Q?a=3Db?=") => "a=b"
(define (mime-decode-header string)
  (call-with-output-string
   (lambda (out)
     (let loop ((from 0) (behind-word? #f))
       (let* ((i (string-contains string "=?" from))
              (end (and i (word-end string i))))
         (if end
             (begin
               (if (not (and behind-word? (only-blanks? string from i)))
                   (write-string string out from i))
               (write-string (decode-word string i end) out)
               (loop end #t))
             (write-string string out from)))))))

;; -- messages ---------------------------------------------------------------

;; The lines up to BOUNDARY (a string, or #f for the end), and how they ended:
;; next, last or eof.
(define (body-lines port boundary)
  (let ((next (and boundary (string-append "--" boundary)))
        (last (and boundary (string-append "--" boundary "--"))))
    (let loop ((out '()))
      (let ((line (next-line port)))
        (cond ((eof-object? line) (values (reverse out) 'eof))
              ((and last (string=? (string-trim line) last))
               (values (reverse out) 'last))
              ((and next (string=? (string-trim line) next))
               (values (reverse out) 'next))
              (else (loop (cons line out))))))))

(define (join-lines lines)
  (if (null? lines)
      ""
      (call-with-output-string
       (lambda (out)
         (write-string (car lines) out)
         (for-each (lambda (line) (newline out) (write-string line out))
                   (cdr lines))))))

(define (text-type? type)
  (or (null? type)
      (string-prefix? "text/" (symbol->string (car type)))))

;; The body of a part, decoded as its headers say.
(define (decoded headers text)
  (let* ((coding (string->symbol
                  (string-downcase
                   (string-trim
                    (mime-ref headers 'content-transfer-encoding "7bit")))))
         (bytes (string->utf8 text))
         (plain (case coding
                  ((base64) (base64-decode-bytevector bytes))
                  ((quoted-printable)
                   (quoted-printable-decode-bytevector bytes))
                  (else bytes)))
         (type (mime-parse-content-type (mime-ref headers 'content-type ""))))
    (if (or (eq? coding 'binary)
            (not (or (text-type? type) (memq coding '(7bit 8bit)))))
        plain
        (utf8->string plain))))

(define (multipart? type)
  (and (pair? type)
       (string-prefix? "multipart/" (symbol->string (car type)))
       (mime-ref (cdr type) 'boundary)))

;;> (mime-message-fold kons down up seed [port [headers]])
;;> Read a message and fold over its parts: for one without parts (kons
;;> parent-headers headers body seed); for one of several, its parts are folded
;;> from (down headers seed) on, and (up headers parent-seed seed) is the result.
(define (mime-message-fold kons down up seed . rest)
  (let* ((port (if (pair? rest) (car rest) (current-input-port)))
         (headers (if (and (pair? rest) (pair? (cdr rest)))
                      (cadr rest)
                      (mime-headers->list port))))
    (call-with-values (lambda () (fold-part kons down up seed port '() headers #f))
      (lambda (seed how) seed))))

;; Values: the seed, and how the part ended.
(define (fold-part kons down up seed port parent headers boundary)
  (let ((type (mime-parse-content-type (mime-ref headers 'content-type ""))))
    (cond ((multipart? type)
           => (lambda (inner)
                (call-with-values (lambda () (body-lines port inner))
                  (lambda (preamble how)
                    (let ((out (fold-parts kons down up (down headers seed)
                                           port headers inner how)))
                      (call-with-values
                          (lambda () (body-lines port boundary))
                        (lambda (epilogue how)
                          (values (up headers seed out) how))))))))
          (else
           (call-with-values (lambda () (body-lines port boundary))
             (lambda (lines how)
               (values (kons parent headers (decoded headers (join-lines lines))
                             seed)
                       how)))))))

(define (fold-parts kons down up seed port parent boundary how)
  (if (not (eq? how 'next))
      seed
      (call-with-values
          (lambda ()
            (fold-part kons down up seed port parent
                       (mime-headers->list port) boundary))
        (lambda (seed how)
          (fold-parts kons down up seed port parent boundary how)))))

;;> (mime-message->sxml [port [headers]])
;;> Return a message as (mime (@ (header . value) ...) part ...); a body is a
;;> string, or a bytevector where it is no text.
(define (mime-message->sxml . rest)
  (car
   (apply mime-message-fold
          (lambda (parent headers body seed)
            (cons (list 'mime (cons '@ headers) body) seed))
          (lambda (headers seed) '())
          (lambda (headers parent-seed seed)
            (cons (append (list 'mime (cons '@ headers)) (reverse seed))
                  parent-seed))
          '() rest)))
