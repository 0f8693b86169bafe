;;; (chibi highlight), the body. A highlighter takes text to a list of strings and of
;;; (span (@ (class "...")) string), which together have all of its characters.

(define scheme-keywords
  '("define" "define-syntax" "define-record-type" "define-values" "define-library"
    "lambda" "case-lambda" "let" "let*" "letrec" "letrec*" "let-syntax"
    "letrec-syntax" "let-values" "let*-values" "if" "cond" "case" "when" "unless"
    "and" "or" "do" "begin" "set!" "quote" "quasiquote" "unquote" "delay"
    "delay-force" "parameterize" "guard" "import" "export" "include"
    "syntax-rules" "syntax-error" "cond-expand" "else"))
(define c-keywords
  '("asm" "break" "case" "catch" "class" "const" "continue" "default" "delete" "do"
    "else" "enum" "extern" "for" "goto" "if" "inline" "new" "private" "public"
    "register" "return" "sizeof" "static" "struct" "switch" "template" "this"
    "throw" "try" "typedef" "union" "using" "virtual" "volatile" "while"))
(define c-types
  '("auto" "bool" "char" "double" "float" "int" "long" "short" "signed" "size_t"
    "unsigned" "void"))

(define (span class text) (list 'span (list '@ (list 'class class)) text))

(define (->text source)
  (if (string? source)
      source
      (let ((out (open-output-string)))
        (let loop ()
          (let ((part (read-string 4096 source)))
            (if (eof-object? part)
                (get-output-string out)
                (begin
                  (write-string part out)
                  (loop))))))))

;; The place behind what FROM begins, up to MARK and with it.
(define (end-behind text from mark)
  (let ((at (string-contains text mark from)))
    (if at (+ at (string-length mark)) (string-length text))))

(define (line-end text from)
  (or (string-contains text "\n" from) (string-length text)))

;; The place behind the text in quotes that begins at FROM.
(define (quoted-end text from)
  (let ((end (string-length text)) (quote (string-ref text from)))
    (let loop ((i (+ from 1)))
      (cond ((>= i end) end)
            ((char=? #\\ (string-ref text i)) (loop (+ i 2)))
            ((char=? quote (string-ref text i)) (+ i 1))
            (else (loop (+ i 1)))))))

(define (token-end text from token?)
  (let loop ((i from))
    (if (and (< i (string-length text)) (token? (string-ref text i)))
        (loop (+ i 1))
        i)))

(define (at? text i what)
  (let ((end (+ i (string-length what))))
    (and (<= end (string-length text)) (string=? what (substring text i end)))))

;; (FIND text i) answers #f or (end . class-or-#f) for what begins at I.
(define (mark-up source find)
  (let* ((text (->text source)) (end (string-length text)))
    (let loop ((i 0) (plain 0) (done '()))
      (define (with-plain)
        (if (< plain i) (cons (substring text plain i) done) done))
      (cond ((= i end) (reverse (with-plain)))
            ((find text i)
             => (lambda (found)
                  (let ((next (min end (car found))))
                    (if (cdr found)
                        (loop next next
                              (cons (span (cdr found) (substring text i next))
                                    (with-plain)))
                        (loop next plain done)))))
            (else (loop (+ i 1) plain done))))))

(define (scheme-token? char)
  (not (or (char-whitespace? char) (memv char '(#\( #\) #\" #\; #\')))))

(define (find-scheme text i)
  (let ((char (string-ref text i)))
    (cond ((char=? char #\;) (cons (line-end text i) "comment"))
          ((at? text i "#|") (cons (end-behind text (+ i 2) "|#") "comment"))
          ((char=? char #\") (cons (quoted-end text i) "string"))
          ((at? text i "#\\")
           (cons (token-end text (min (string-length text) (+ i 3)) scheme-token?)
                 "string"))
          ((scheme-token? char)
           (let ((end (token-end text i scheme-token?)))
             (cons end
                   (and (member (substring text i end) scheme-keywords)
                        "keyword"))))
          (else #f))))

(define (c-token? char)
  (or (char-alphabetic? char) (char-numeric? char) (char=? char #\_)))

(define (find-c text i)
  (let ((char (string-ref text i)))
    (cond ((at? text i "//") (cons (line-end text i) "comment"))
          ((at? text i "/*") (cons (end-behind text (+ i 2) "*/") "comment"))
          ((memv char '(#\" #\')) (cons (quoted-end text i) "string"))
          ((and (char=? char #\#) (or (= i 0) (char=? #\newline (string-ref text (- i 1)))))
           (cons (line-end text i) "preprocessor"))
          ((c-token? char)
           (let* ((end (token-end text i c-token?)) (word (substring text i end)))
             (cons end
                   (cond ((member word c-keywords) "keyword")
                         ((member word c-types) "type")
                         (else #f)))))
          (else #f))))

(define (find-assembly text i)
  (let ((char (string-ref text i)))
    (cond ((memv char '(#\; #\#)) (cons (line-end text i) "comment"))
          ((char=? char #\") (cons (quoted-end text i) "string"))
          ((memv char '(#\% #\.))
           (cons (token-end text (+ i 1) c-token?)
                 (if (char=? char #\%) "register" "preprocessor")))
          ((c-token? char)
           (let ((end (token-end text i c-token?)))
             (cons end (and (at? text end ":") "label"))))
          (else #f))))

;;> (highlight-scheme source), (highlight-c source), (highlight-assembly source)
;;> Return SOURCE, a string or textual port, as a list of SXML nodes.
;;> (highlight-scheme "(if x)") => ("(" (span (@ (class "keyword")) "if") " x)")
(define (highlight-scheme source) (mark-up source find-scheme))
(define (highlight-c source) (mark-up source find-c))
(define (highlight-assembly source) (mark-up source find-assembly))

;;> (highlight-detect-language source)
;;> Return scheme, c or asm, what SOURCE looks like. (highlight-detect-language "(f)") => scheme
(define (highlight-detect-language source)
  (let ((text (->text source)))
    (cond ((or (string-contains text ".text") (string-contains text ".globl")) 'asm)
          ((or (string-contains text "#include") (string-contains text "int main")
               (string-contains text ";\n"))
           'c)
          (else 'scheme))))

;;> (highlighter-for language)
;;> Return the highlighter of a language, or #f where there is none.
;;> (eq? highlight-c (highlighter-for 'c)) => #t
(define (highlighter-for language)
  (case language
    ((scheme) highlight-scheme)
    ((c c++ objc java javascript) highlight-c)
    ((asm assembly) highlight-assembly)
    (else #f)))

;;> (highlight source [language])
;;> Return SOURCE as a list of SXML nodes; as it is where the language has no highlighter.
(define (highlight source . language)
  (let* ((text (->text source))
         (mark (highlighter-for (if (pair? language)
                                    (car language)
                                    (highlight-detect-language text)))))
    (if mark (mark text) (list text))))

;;> (highlight-style)
;;> Return a style sheet for the classes. (string? (highlight-style)) => #t
(define (highlight-style)
  (string-append ".keyword { color: #800080 }\n"
                 ".type { color: #008000 }\n"
                 ".string { color: #bc8f8f }\n"
                 ".comment { color: #b22222 }\n"
                 ".preprocessor, .register { color: #483d8b }\n"
                 ".label { color: #0000ff }\n"))
