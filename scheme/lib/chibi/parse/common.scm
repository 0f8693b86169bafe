;;; (chibi parse common), the body.

;;> (char-hex-digit? char), (char-octal-digit? char)
;;> Is it a digit of that base? (char-hex-digit? #\f) => #t
(define (char-hex-digit? char)
  (or (char<=? #\0 char #\9) (char<=? #\a (char-downcase char) #\f)))
(define (char-octal-digit? char) (char<=? #\0 char #\7))

(define (decimal? char) (char<=? #\0 char #\9))
(define (argument arguments i default)
  (cond ((null? arguments) default)
        ((= i 0) (car arguments))
        (else (argument (cdr arguments) (- i 1) default))))

(define sign (parse-optional (parse-or (parse-char #\+) (parse-char #\-))))
(define digits (parse-token decimal?))

(define (in-range parser bounds)
  (let ((low (argument bounds 0 #f)) (high (argument bounds 1 #f)))
    (parse-assert parser
                  (lambda (n)
                    (and (or (not low) (<= low n)) (or (not high) (<= n high)))))))

;;> (parse-integer [low [high]]), (parse-unsigned-integer [low [high]])
;;> The parser of an integer, with a sign or without, from LOW to HIGH.
;;> (parse (parse-integer) "-12") => -12
(define (parse-integer . bounds)
  (in-range (parse-map-substring (parse-seq sign digits) string->number) bounds))
(define (parse-unsigned-integer . bounds)
  (in-range (parse-map digits string->number) bounds))

;;> (parse-c-integer)
;;> The parser of an integer as C writes it. (parse (parse-c-integer) "0xff") => 255
(define (parse-c-integer)
  (parse-or
   (parse-map (parse-seq (parse-or "0x" "0X") (parse-token char-hex-digit?))
              (lambda (parts) (string->number (cadr parts) 16)))
   (parse-map (parse-seq "0" (parse-token char-octal-digit?))
              (lambda (parts) (string->number (cadr parts) 8)))
   (parse-integer)))

(define exponent
  (parse-optional (parse-seq (parse-or (parse-char #\e) (parse-char #\E))
                             sign digits)))

;;> (parse-real)
;;> The parser of a decimal number. (parse (parse-real) "-1.5e2") => -150.0
(define (parse-real)
  (parse-map-substring
   (parse-seq sign
              (parse-or (parse-seq digits
                                   (parse-optional
                                    (parse-seq #\. (parse-optional digits))))
                        (parse-seq #\. digits))
              exponent)
   string->number))

;;> (parse-complex)
;;> The parser of a complex number. (parse (parse-complex) "1+2i") => 1+2i
(define (parse-complex)
  (let* ((real (parse-real))
         (signed (parse-and (parse-or (parse-char #\+) (parse-char #\-)) real))
         (i (parse-or (parse-char #\i) (parse-char #\I))))
    (parse-map-substring
     (parse-or (parse-seq real signed i) (parse-seq signed i) real)
     string->number)))

;;> (parse-identifier [first? [other?]])
;;> The parser of a symbol: a character for which FIRST? is true, then any for which
;;> OTHER? is. (parse (parse-identifier) "ab1 ") => ab1
(define (parse-identifier . predicates)
  (let* ((first? (argument predicates 0
                           (lambda (char)
                             (or (char-alphabetic? char) (char=? char #\_)))))
         (other? (argument predicates 1
                           (lambda (char)
                             (or (first? char) (char-numeric? char))))))
    (parse-map-substring
     (parse-atomic
      (parse-seq (parse-char first?) (parse-repeat (parse-char other?))))
     string->symbol)))

;;> (parse-delimited [delimiter [escape [parse-escaped]]])
;;> The parser of the text between two DELIMITERs, at first ", with ESCAPE, at first \,
;;> in front of what PARSE-ESCAPED, at first any character, makes characters of.
;;> (parse (parse-delimited #\') "'ab'") => "ab"
(define (parse-delimited . arguments)
  (let* ((delimiter (argument arguments 0 #\"))
         (escape (argument arguments 1 #\\))
         (escaped (argument arguments 2 parse-anything)))
    (parse-map
     (parse-seq
      delimiter
      (parse-repeat
       (parse-or (parse-char (lambda (char)
                               (not (memv char (list delimiter escape)))))
                 (parse-map (parse-seq escape (if (eqv? delimiter escape)
                                                  (parse-char escape)
                                                  escaped))
                            cadr)))
      delimiter)
     (lambda (parts) (list->string (cadr parts))))))

;;> (parse-separated [separator [delimiter [escape [ok?]]]])
;;> The parser of the list of fields between SEPARATORs, at first commas; a field may be
;;> delimited, by quotes in which a doubled one is one.
;;> (parse (parse-separated) "a,\"b,c\"") => ("a" "b,c")
(define (parse-separated . arguments)
  (let* ((separator (argument arguments 0 #\,))
         (delimiter (argument arguments 1 #\"))
         (escape (argument arguments 2 delimiter))
         (ok? (argument arguments 3 (lambda (char) #t)))
         (field (parse-or (parse-delimited delimiter escape)
                          (parse-token
                           (lambda (char)
                             (and (not (memv char (list separator delimiter)))
                                  (ok? char)))))))
    (parse-map (parse-seq field
                          (parse-repeat
                           (parse-map (parse-seq separator field) cadr)))
               (lambda (parts) (cons (car parts) (cadr parts))))))

;;> (parse-records [terminators [separator [delimiter [escape]]]])
;;> The parser of lines of separated fields; TERMINATORS is a string or a list of them.
;;> (parse (parse-records) "a,b\nc\n") => (("a" "b") ("c"))
(define (parse-records . arguments)
  (let* ((terminators (argument arguments 0 '("\r\n" "\n")))
         (terminators (if (list? terminators) terminators (list terminators)))
         (ends (apply append (map string->list terminators)))
         (delimiter (argument arguments 2 #\")))
    (parse-repeat
     (parse-map
      (parse-seq (parse-separated (argument arguments 1 #\,) delimiter
                                  (argument arguments 3 delimiter)
                                  (lambda (char) (not (memv char ends))))
                 (apply parse-or parse-end (map parse-string terminators)))
      car))))

;;> parse-space
;;> One character of whitespace. (parse parse-space " ") => #\space
(define parse-space (parse-char char-whitespace?))

;; The tree of an expression and (operator expression) ..., those operators first whose
;; number in RULES is the least; unknown ones have 0.
(define (operator-tree rules first rest)
  (define (rule operator) (or (assoc operator rules) (list operator 0)))
  (define (before? left right)
    (let ((l (cadr (rule left))) (r (cadr (rule right))))
      (or (< l r)
          (and (= l r)
               (not (equal? (cddr (rule left)) '(right)))))))
  (define (join operands operators)
    (cons (list (car operators) (cadr operands) (car operands))
          (cddr operands)))
  (let loop ((rest rest) (operands (list first)) (operators '()))
    (cond ((and (pair? operators)
                (or (null? rest) (before? (car operators) (caar rest))))
           (loop rest (join operands operators) (cdr operators)))
          ((null? rest) (car operands))
          (else
           (loop (cdr rest) (cons (cadar rest) operands)
                 (cons (caar rest) operators))))))

;;> (parse-binary-op operator rules expression [space [space]])
;;> The parser of expressions with operators between them, as a list (operator a b). RULES
;;> has (operator number [right]): less binds tighter. SPACE may stand around.
;;> (parse (parse-binary-op (parse-map (parse-char #\+) (lambda (c) '+)) '((+ 1))
;;>                         (parse-integer)) "1 + 2") => (+ 1 2)
(define (parse-binary-op operator rules expression . spaces)
  (let* ((before (argument spaces 0 (parse-repeat parse-space)))
         (after (argument spaces 1 before)))
    (parse-map
     (parse-seq (parse-ignore before) expression
                (parse-repeat
                 (parse-seq (parse-ignore after) operator (parse-ignore before)
                            expression)))
     (lambda (parts) (operator-tree rules (car parts) (cadr parts))))))

;; -- addresses -----------------------------------------------------------------------

;;> parse-ipv4-address, parse-ipv6-address, parse-ip-address
;;> The text of an address. (parse parse-ipv4-address "127.0.0.1") => "127.0.0.1"
(define parse-ipv4-address
  (let ((part (parse-unsigned-integer 0 255)))
    (parse-map-substring
     (parse-seq part (parse-repeat (parse-seq #\. part) 3 3)))))
(define parse-ipv6-address
  (let ((part (parse-repeat (parse-char char-hex-digit?) 0 4)))
    (parse-map-substring
     (parse-seq part
                (parse-repeat (parse-seq (parse-repeat (parse-char #\:) 1 2) part)
                              1 7)))))
(define parse-ip-address (parse-or parse-ipv4-address parse-ipv6-address))

(define (word? char)
  (or (char-alphabetic? char) (char-numeric? char) (memv char '(#\- #\_))))
(define label (parse-token word?))

;;> (parse-domain), (parse-common-domain)
;;> The parser of a domain's name; of one with a usual end.
;;> (parse (parse-domain) "a.example.org/") => "a.example.org"
(define (parse-domain)
  (parse-or parse-ipv4-address
            (parse-map-substring
             (parse-seq label (parse-repeat (parse-seq #\. label))))))
(define (parse-common-domain)
  (parse-map-substring
   (parse-seq (parse-repeat+ (parse-seq label #\.))
              (apply parse-or
                     (append
                      (map parse-string
                           '("arpa" "com" "gov" "mil" "net" "org" "aero" "biz"
                             "coop" "info" "museum" "name" "pro"))
                      (list (parse-repeat (parse-char char-alphabetic?) 2 2))))
              (parse-not (parse-char word?)))))

;;> (parse-email)
;;> The parser of a mail address, the list of its two parts.
;;> (parse (parse-email) "a.b@example.org") => ("a.b" "example.org")
(define (parse-email)
  (parse-seq (parse-token (lambda (char)
                            (or (word? char) (memv char '(#\. #\+)))))
             (parse-ignore #\@)
             (parse-domain)))

(define (url-text more)
  (parse-map-substring
   (parse-repeat
    (parse-or (parse-char (lambda (char) (or (word? char) (memv char more))))
              (parse-seq #\% (parse-repeat (parse-char char-hex-digit?) 2 2))))))

(define (prefixed char parser)
  (parse-optional (parse-map (parse-seq (parse-ignore char) parser) car)))

;;> (parse-uri)
;;> The parser of a URI, the list of scheme, domain, port, path, query and fragment; #f
;;> for those that are not there.
;;> (parse (parse-uri) "http://a.org:80/b?c#d") => (http "a.org" 80 "/b" "c" "d")
(define (parse-uri)
  (let ((fragment '(#\+ #\\ #\= #\~ #\&)))
    (parse-seq
     (parse-identifier)
     (parse-ignore (parse-seq #\: (parse-repeat (parse-char #\/))))
     (parse-domain)
     (prefixed #\: (parse-unsigned-integer 0 65535))
     (parse-optional
      (parse-map-substring
       (parse-seq #\/ (url-text (append '(#\/ #\. #\, #\;) fragment)))))
     (prefixed #\? (url-text (append '(#\/ #\. #\, #\;) fragment)))
     (prefixed #\# (url-text fragment)))))
