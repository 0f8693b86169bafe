;;; (chibi uri), the body.

(define-record-type uri
  (%make-uri scheme user host port path query fragment)
  uri?
  (scheme uri-scheme)
  (user uri-user)
  (host uri-host)
  (port uri-port)
  (path uri-path)
  (query uri-query)
  (fragment uri-fragment))

;;> (make-uri scheme [user [host [port [path [query [fragment]]]]]])
;;> Return a URI; SCHEME is a symbol, PORT a number, the others strings or #f.
;;> (uri-host (make-uri 'http #f "a.org")) => "a.org"
(define (make-uri scheme . rest)
  (let ((parts (append rest (list-tail '(#f #f #f #f #f #f) (length rest)))))
    (apply %make-uri scheme parts)))

;;> (uri-with-scheme uri scheme)
;;> Return URI with another scheme.
(define (uri-with-scheme u scheme)
  (%make-uri scheme (uri-user u) (uri-host u) (uri-port u) (uri-path u)
             (uri-query u) (uri-fragment u)))

;;> (uri-with-user uri user)
;;> Return URI with another user.
(define (uri-with-user u user)
  (%make-uri (uri-scheme u) user (uri-host u) (uri-port u) (uri-path u)
             (uri-query u) (uri-fragment u)))

;;> (uri-with-host uri host)
;;> Return URI with another host.
(define (uri-with-host u host)
  (%make-uri (uri-scheme u) (uri-user u) host (uri-port u) (uri-path u)
             (uri-query u) (uri-fragment u)))

;;> (uri-with-port uri port)
;;> Return URI with another port.
(define (uri-with-port u port)
  (%make-uri (uri-scheme u) (uri-user u) (uri-host u) port (uri-path u)
             (uri-query u) (uri-fragment u)))

;;> (uri-with-path uri path)
;;> Return URI with another path.
(define (uri-with-path u path)
  (%make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) path
             (uri-query u) (uri-fragment u)))

;;> (uri-with-query uri query)
;;> Return URI with another query.
(define (uri-with-query u query)
  (%make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u)
             query (uri-fragment u)))

;;> (uri-with-fragment uri fragment)
;;> Return URI with another fragment.
(define (uri-with-fragment u fragment)
  (%make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u)
             (uri-query u) fragment))

;; -- reading ----------------------------------------------------------------

(define (scheme-char? char)
  (and (char<? char #\x80)
       (or (char-alphabetic? char) (char-numeric? char)
           (memv char '(#\+ #\- #\.)))))

;; The index of the colon behind the scheme, or #f.
(define (scheme-end string)
  (let ((i (string-find string (lambda (char) (not (scheme-char? char))))))
    (and (> i 0)
         (< i (string-length string))
         (char=? (string-ref string i) #\:)
         (char-alphabetic? (string-ref string 0))
         i)))

;;> (uri-has-scheme? string)
;;> Does STRING begin with a scheme? (uri-has-scheme? "http://a") => #t
(define (uri-has-scheme? string) (if (scheme-end string) #t #f))

;; The part of STRING from START to END, decoded where DECODE? says so; #f where
;; START is #f.
(define (part string start end decode?)
  (and start
       (let ((text (substring string start end)))
         (if decode? (uri-decode text) text))))

;;> (string->uri string [decode? [query->alist?]])
;;> Return the URI that STRING stands for, or #f if it has no scheme. With
;;> DECODE? escapes are decoded, with QUERY->ALIST? the query becomes an alist.
;;> (uri-path (string->uri "http://a.org/b")) => "/b"
(define (string->uri string . rest)
  (let ((colon (scheme-end string)))
    (and colon
         (apply read-uri (string->symbol (string-downcase
                                          (substring string 0 colon)))
                string (+ colon 1) rest))))

;;> (string->path-uri scheme string [decode? [query->alist?]])
;;> Return the URI of SCHEME that STRING, without a scheme, stands for.
;;> (uri-path (string->path-uri 'http "/a?b")) => "/a"
(define (string->path-uri scheme string . rest)
  (or (apply string->uri string rest)
      (apply read-uri scheme string 0 rest)))

(define (read-uri scheme string start . rest)
  (let* ((decode? (and (pair? rest) (car rest)))
         (alist? (and (pair? rest) (pair? (cdr rest)) (cadr rest)))
         (n (string-length string))
         (hash (string-find string #\# start))
         (mark (string-find string #\? start hash))
         (authority (authority-start string start))
         (path (if authority
                   (string-find string #\/ authority mark)
                   start)))
    (call-with-values
        (lambda () (read-authority string authority path decode?))
      (lambda (user host port)
        (%make-uri scheme user host port
                   (and (< path mark) (part string path mark decode?))
                   (and (< mark hash)
                        (read-query (substring string (+ mark 1) hash)
                                    decode? alist?))
                   (and (< hash n) (part string (+ hash 1) n decode?)))))))

;; Behind //, or #f.
(define (authority-start string start)
  (and (<= (+ start 2) (string-length string))
       (string=? (substring string start (+ start 2)) "//")
       (+ start 2)))

;; Values: user, host and port of [user@]host[:port].
(define (read-authority string start end decode?)
  (if (not start)
      (values #f #f #f)
      (let* ((at (string-find-right string #\@ start end))
             (user (and (> at start)
                        (part string start (- at 1) decode?)))
             (bracket (string-find-right string #\] at end))
             (colon (string-find string #\: bracket end))
             (port (and (< colon end)
                        (string->number (substring string (+ colon 1) end)))))
        (values user (part string at colon decode?) port))))

(define (read-query text decode? alist?)
  (cond (alist? (uri-query->alist text decode?))
        (decode? (uri-decode text #t))
        (else text)))

;; -- writing ----------------------------------------------------------------

(define (text-if text . parts)
  (if text (apply string-append parts) ""))

;;> (uri->string uri [encode?])
;;> Return the text of URI; with ENCODE? its parts are escaped. A query that is an
;;> alist is written as such.
;;> (uri->string (make-uri 'http #f "a.org" 8080 "/b")) => "http://a.org:8080/b"
(define (uri->string u . rest)
  (let* ((encode? (and (pair? rest) (car rest)))
         (form (lambda (text) (if (and encode? text) (uri-encode text) text)))
         (path (and (uri-path u)
                    (if encode? (encode-path (uri-path u)) (uri-path u))))
         (query (if (or (pair? (uri-query u)) (null? (uri-query u)))
                    (uri-alist->query (uri-query u))
                    (form (uri-query u)))))
    (string-append
     (text-if (uri-scheme u) (symbol->string (or (uri-scheme u) '||)) ":")
     (text-if (uri-host u) "//")
     (text-if (uri-user u) (or (form (uri-user u)) "") "@")
     (or (uri-host u) "")
     (text-if (uri-port u) ":" (number->string (or (uri-port u) 0)))
     (or path "")
     (text-if query "?" (or query ""))
     (text-if (uri-fragment u) "#" (or (form (uri-fragment u)) "")))))

(define (encode-path path) (escape path "/" #f))

;;> (uri-resolve uri base)
;;> Return URI, perhaps a relative one or a string, as seen from BASE.
;;> (uri->string (uri-resolve "c" (string->uri "http://a.org/b/d"))) =>
;;> "http://a.org/b/c"
(define (uri-resolve u base)
  (let ((u (if (uri? u) u (string->path-uri (uri-scheme base) u))))
    (cond ((uri-host u) u)
          ((and (uri-path u) (path-absolute? (uri-path u)))
           (with-base u base (path-normalize (uri-path u)) (uri-query u)))
          ((uri-path u)
           (with-base u base
                      (path-normalize
                       (make-path (directory-of (or (uri-path base) "/"))
                                  (uri-path u)))
                      (uri-query u)))
          (else
           (with-base u base (uri-path base)
                      (or (uri-query u) (uri-query base)))))))

(define (directory-of path)
  (let ((end (string-find-right path #\/)))
    (if (= end 0) "/" (substring path 0 end))))

(define (with-base u base path query)
  (%make-uri (uri-scheme base) (uri-user base) (uri-host base) (uri-port base)
             path query (uri-fragment u)))

;; -- escapes ----------------------------------------------------------------

(define (unreserved? byte)
  (or (<= 48 byte 57) (<= 65 byte 90) (<= 97 byte 122)
      (memv byte '(45 46 95 126))))

(define (hex-digit n) (string-ref "0123456789ABCDEF" n))

(define (escape string keep plus?)
  (let ((bytes (string->utf8 string))
        (keep (string->utf8 keep))
        (out (open-output-string)))
    (let loop ((i 0))
      (if (< i (bytevector-length bytes))
          (let ((byte (bytevector-u8-ref bytes i)))
            (cond ((or (unreserved? byte) (byte-in? byte keep))
                   (write-char (integer->char byte) out))
                  ((and plus? (= byte 32)) (write-char #\+ out))
                  (else
                   (write-char #\% out)
                   (write-char (hex-digit (quotient byte 16)) out)
                   (write-char (hex-digit (remainder byte 16)) out)))
            (loop (+ i 1)))))
    (get-output-string out)))

(define (byte-in? byte bytes)
  (let loop ((i 0))
    (and (< i (bytevector-length bytes))
         (or (= byte (bytevector-u8-ref bytes i)) (loop (+ i 1))))))

;;> (uri-encode string [plus?])
;;> Return STRING with all but unreserved characters as %XX; with PLUS? a space
;;> becomes +. (uri-encode "a b/c") => "a%20b%2Fc"
(define (uri-encode string . plus?)
  (escape string "" (and (pair? plus?) (car plus?))))

(define (hex-value byte)
  (cond ((<= 48 byte 57) (- byte 48))
        ((<= 65 byte 70) (- byte 55))
        ((<= 97 byte 102) (- byte 87))
        (else #f)))

;;> (uri-decode string [plus?])
;;> Return STRING with %XX decoded as UTF-8; with PLUS? a + becomes a space.
;;> (uri-decode "a%20b") => "a b"
(define (uri-decode string . plus?)
  (let* ((plus? (and (pair? plus?) (car plus?)))
         (bytes (string->utf8 string))
         (n (bytevector-length bytes))
         (out (open-output-bytevector)))
    (let loop ((i 0))
      (if (< i n)
          (let* ((byte (bytevector-u8-ref bytes i))
                 (escape? (and (= byte 37) (< (+ i 2) n)))
                 (high (and escape? (hex-value (bytevector-u8-ref bytes (+ i 1)))))
                 (low (and high (hex-value (bytevector-u8-ref bytes (+ i 2))))))
            (cond (low
                   (write-u8 (+ (* 16 high) low) out)
                   (loop (+ i 3)))
                  (else
                   (write-u8 (if (and plus? (= byte 43)) 32 byte) out)
                   (loop (+ i 1)))))))
    (utf8->string (get-output-bytevector out))))

;; -- queries ----------------------------------------------------------------

;;> (uri-query->alist string [decode?])
;;> Return the names and values (#f where there is none) of a query's text.
;;> (uri-query->alist "a=1&b" #t) => (("a" . "1") ("b" . #f))
(define (uri-query->alist string . rest)
  (let* ((form (if (and (pair? rest) (car rest))
                   (lambda (text) (uri-decode text #t))
                   uri-decode))
         (n (string-length string)))
    (let loop ((start 0) (out '()))
      (if (>= start n)
          (reverse out)
          (let* ((end (string-find string (lambda (c) (memv c '(#\& #\;)))
                                   start))
                 (equals (string-find string #\= start end))
                 (name (form (substring string start equals)))
                 (value (and (< equals end)
                             (form (substring string (+ equals 1) end)))))
            (loop (+ end 1)
                  (if (= start end) out (cons (cons name value) out))))))))

(define (query-text object)
  (cond ((string? object) object)
        ((symbol? object) (symbol->string object))
        ((number? object) (number->string object))
        (else (error "uri-alist->query: neither string, symbol nor number"
                     object))))

;;> (uri-alist->query alist [plus?])
;;> Return the text of a query. A value #f leaves the name alone.
;;> (uri-alist->query '(("a" . "1 2") (b . 3))) => "a=1%202&b=3"
(define (uri-alist->query alist . plus?)
  (let ((form (lambda (object) (apply uri-encode (query-text object) plus?))))
    (string-join
     (map (lambda (pair)
            (if (cdr pair)
                (string-append (form (car pair)) "=" (form (cdr pair)))
                (form (car pair))))
          alist)
     "&")))
