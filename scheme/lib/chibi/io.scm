;;; (chibi io), the body.

(define (port-of rest default) (if (pair? rest) (car rest) default))

;; -- reading ----------------------------------------------------------------

;;> (read-line [port [limit]])
;;> Read a line, without its end; with LIMIT, at most so many characters of it.
;;> (call-with-input-string "ab\nc" read-line) => "ab"
(define (read-line . rest)
  (let ((port (port-of rest (current-input-port))))
    (if (and (pair? rest) (pair? (cdr rest)))
        (read-line-part port (cadr rest))
        (base:read-line port))))

(define (read-line-part port limit)
  (if (eof-object? (peek-char port))
      (eof-object)
      (let ((out (open-output-string)))
        (let loop ((n 0))
          (let ((char (peek-char port)))
            (cond ((eof-object? char) #f)
                  ((char=? char #\newline) (read-char port))
                  ((< n limit)
                   (write-char (read-char port) out)
                   (loop (+ n 1))))))
        (get-output-string out))))

;;> (read-string k [port])
;;> Read K characters, or as many as there are. The port may also come first.
;;> (call-with-input-string "abc" (lambda (in) (read-string 2 in))) => "ab"
(define (read-string k . rest)
  (cond ((null? rest) (base:read-string k))
        ((port? k) (base:read-string (car rest) k))
        (else (base:read-string k (car rest)))))

;;> (read-string! string [k [port]])
;;> Read K characters into STRING, from its beginning; return how many.
(define (read-string! string . rest)
  (let* ((k (port-of rest (string-length string)))
         (port (port-of (if (pair? rest) (cdr rest) '()) (current-input-port)))
         (text (base:read-string k port)))
    (if (eof-object? text)
        0
        (begin
          (string-copy! string 0 text)
          (string-length text)))))

;;> (write-line obj [port])
;;> Display OBJ and a line end.
(define (write-line obj . rest)
  (let ((port (port-of rest (current-output-port))))
    (display obj port)
    (newline port)))

;; Where reader and port are both optional, in this order.
(define (with-reader rest default f)
  (f (port-of rest default)
     (port-of (if (pair? rest) (cdr rest) '()) (current-input-port))))

;;> (port-fold kons knil [read [port]])
;;> Fold KONS over what READ (at first read) gives until the end.
;;> (port-fold cons '() read-char (open-input-string "ab")) => (#\b #\a)
(define (port-fold kons knil . rest)
  (with-reader rest read
    (lambda (reader port)
      (let loop ((out knil))
        (let ((item (reader port)))
          (if (eof-object? item) out (loop (kons item out))))))))

;;> (port-fold-right kons knil [read [port]])
;;> Fold KONS from the last one on.
;;> (port-fold-right cons '() read-char (open-input-string "ab")) => (#\a #\b)
(define (port-fold-right kons knil . rest)
  (let loop ((items (apply port-fold cons '() rest)) (out knil))
    (if (pair? items)
        (loop (cdr items) (kons (car items) out))
        out)))

;;> (port-map f [read [port]])
;;> Return the list of (f item) for all that READ gives.
;;> (port-map char->integer read-char (open-input-string "ab")) => (97 98)
(define (port-map f . rest)
  (reverse (apply port-fold (lambda (item out) (cons (f item) out)) '() rest)))

;;> (port->list [read [port]])
;;> Return the list of all that READ (at first read) gives.
;;> (port->list read (open-input-string "1 (2)")) => (1 (2))
(define (port->list . rest)
  (reverse (apply port-fold cons '() rest)))

;;> (port->sexp-list [port])
;;> Return the list of all data in PORT.
;;> (port->sexp-list (open-input-string "1 (2)")) => (1 (2))
(define (port->sexp-list . rest) (apply port->list read rest))

;;> (port->string-list [port])
;;> Return the list of the lines of PORT.
;;> (port->string-list (open-input-string "a\nb")) => ("a" "b")
(define (port->string-list . rest) (apply port->list read-line rest))

;;> (port->string [port])
;;> Return the text of PORT up to its end.
;;> (port->string (open-input-string "a\nb")) => "a\nb"
(define (port->string . rest)
  (let ((port (port-of rest (current-input-port)))
        (out (open-output-string)))
    (let loop ()
      (let ((text (base:read-string 4096 port)))
        (if (eof-object? text)
            (get-output-string out)
            (begin (write-string text out) (loop)))))))

;;> (port->bytevector [port])
;;> Return the bytes of a binary PORT up to its end.
;;> (port->bytevector (open-input-bytevector #u8(1 2))) => #u8(1 2)
(define (port->bytevector . rest)
  (let ((port (port-of rest (current-input-port)))
        (out (open-output-bytevector)))
    (let loop ()
      (let ((bytes (read-bytevector 4096 port)))
        (if (eof-object? bytes)
            (get-output-bytevector out)
            (begin (write-bytevector bytes out) (loop)))))))

;;> (file->string path)
;;> Return the text of a file.
(define (file->string path) (call-with-input-file path port->string))

;;> (file->string-list path)
;;> Return the list of the lines of a file.
(define (file->string-list path) (call-with-input-file path port->string-list))

;;> (file->sexp-list path)
;;> Return the list of the data in a file.
(define (file->sexp-list path) (call-with-input-file path port->sexp-list))

;;> (file->bytevector path)
;;> Return the bytes of a file.
(define (file->bytevector path)
  (call-with-port (open-binary-input-file path) port->bytevector))

;;> (string-count-chars char string [start [end]])
;;> Return how often CHAR is in STRING. (string-count-chars #\a "banana") => 3
(define (string-count-chars char string . rest)
  (apply string-count string char rest))

;; -- input ports ------------------------------------------------------------

;;> (make-generated-input-port generate)
;;> Return a port that reads the strings of (generate), until that is no string.
;;> (read-line (make-generated-input-port (lambda () (eof-object)))) => #!eof
(define (make-generated-input-port generate)
  (%make-host-input-port #f #f (block-source generate string? string-length)))

;;> (make-generated-binary-input-port generate)
;;> Return a binary port that reads the bytevectors of (generate), until that is
;;> no bytevector.
(define (make-generated-binary-input-port generate)
  (%make-host-input-port
   #t #f (block-source generate bytevector? bytevector-length)))

;; A block that is empty does not end the port.
(define (block-source generate block? block-length)
  (define (next)
    (let ((block (generate)))
      (cond ((not (block? block)) #f)
            ((= (block-length block) 0) (next))
            (else block))))
  next)

(define block-size 4096)

;;> (make-custom-input-port read)
;;> Return a port for which (read string start end) puts characters into STRING
;;> and returns how many, 0 at the end.
(define (make-custom-input-port read)
  (make-generated-input-port
   (lambda ()
     (let* ((block (make-string block-size))
            (n (read block 0 block-size)))
       (and n (> n 0) (substring block 0 n))))))

;;> (make-custom-binary-input-port read)
;;> Return a port for which (read bytevector start end) puts bytes into BYTEVECTOR
;;> and returns how many, 0 at the end.
(define (make-custom-binary-input-port read)
  (make-generated-binary-input-port
   (lambda ()
     (let* ((block (make-bytevector block-size))
            (n (read block 0 block-size)))
       (and n (> n 0) (bytevector-copy block 0 n))))))

;;> (make-null-input-port)
;;> Return a port at its end. (read-char (make-null-input-port)) => #!eof
(define (make-null-input-port) (open-input-string ""))

;;> (make-concatenated-port port ...)
;;> Return a port that reads the text of all PORTs, one after the other.
;;> (port->string (make-concatenated-port (open-input-string "a"))) => "a"
(define (make-concatenated-port . ports)
  (make-generated-input-port
   (lambda ()
     (let loop ()
       (if (null? ports)
           #f
           (let ((text (base:read-string block-size (car ports))))
             (if (eof-object? text)
                 (begin (set! ports (cdr ports)) (loop))
                 text)))))))

;;> (make-filtered-input-port filter port)
;;> Return a port that reads PORT, each block of text changed by FILTER.
(define (make-filtered-input-port filter port)
  (make-generated-input-port
   (lambda ()
     (let ((text (base:read-string block-size port)))
       (if (eof-object? text) #f (filter text))))))

;; -- output ports -----------------------------------------------------------

(define (with-sink port sink)
  (%set-port-extra! port sink)
  port)

;;> (make-custom-output-port write)
;;> Return a port for which (write string start end) takes what was written.
(define (make-custom-output-port write)
  (with-sink (open-output-string)
             (lambda (text) (write text 0 (string-length text)))))

;;> (make-custom-binary-output-port write)
;;> Return a port for which (write bytevector start end) takes what was written.
(define (make-custom-binary-output-port write)
  (with-sink (open-output-bytevector)
             (lambda (bytes) (write bytes 0 (bytevector-length bytes)))))

;;> (make-null-output-port)
;;> Return a port that drops what is written to it when it is flushed.
(define (make-null-output-port)
  (with-sink (open-output-string) (lambda (text) #t)))

;;> (make-broadcast-port port ...)
;;> Return a port that writes to all PORTs.
(define (make-broadcast-port . ports)
  (with-sink (open-output-string)
             (lambda (text)
               (for-each (lambda (port) (write-string text port)) ports))))

;;> (make-filtered-output-port filter port)
;;> Return a port that writes to PORT what FILTER makes of the text.
(define (make-filtered-output-port filter port)
  (with-sink (open-output-string)
             (lambda (text) (write-string (filter text) port))))
