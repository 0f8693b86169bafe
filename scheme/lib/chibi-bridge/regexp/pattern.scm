;;; Patterns, the body: a parser by recursive descent over a string.

(define-record-type <input>
  (make-input text at flags)
  input?
  (text input-text)
  (at input-at set-at!)
  (flags input-flags set-flags!))

(define (peek in . ahead)
  (let ((i (+ (input-at in) (if (pair? ahead) (car ahead) 0))))
    (and (< i (string-length (input-text in)))
         (string-ref (input-text in) i))))

(define (next! in)
  (let ((char (peek in)))
    (if (not char) (fail in "unexpected end"))
    (set-at! in (+ 1 (input-at in)))
    char))

(define (accept! in char)
  (and (eqv? (peek in) char)
       (next! in)))

(define (expect! in char)
  (if (not (accept! in char))
      (fail in (string-append "expected " (string char)))))

(define (fail in reason)
  (error (string-append "regexp: " reason " at "
                        (number->string (input-at in)) " of the pattern")
         (input-text in)))

(define (flag? in flag) (memv flag (input-flags in)))

;; -- expressions ------------------------------------------------------------

;; Flags set inside a group end with it.
(define (parse-or in)
  (let ((flags (input-flags in)))
    (let loop ((out (list (parse-seq in))))
      (if (accept! in #\|)
          (loop (cons (parse-seq in) out))
          (begin
            (set-flags! in flags)
            (if (null? (cdr out)) (car out) (cons 'or (reverse out))))))))

(define (parse-seq in)
  (let loop ((out '()))
    (skip-comments! in)
    (let ((char (peek in)))
      (if (memv char '(#f #\| #\)))
          (cons 'seq (reverse out))
          (loop (cons (parse-repeats in (parse-atom in)) out))))))

;; With the flag x, blanks and comments are nothing.
(define (skip-comments! in)
  (if (flag? in #\x)
      (let ((char (peek in)))
        (cond ((not char) #f)
              ((char-whitespace? char) (next! in) (skip-comments! in))
              ((char=? char #\#) (skip-line! in) (skip-comments! in))))))

(define (skip-line! in)
  (let ((char (peek in)))
    (if (and char (not (char=? (next! in) #\newline))) (skip-line! in))))

(define (parse-repeats in node)
  (skip-comments! in)
  (case (peek in)
    ((#\*) (next! in) (repeat in 0 #f node))
    ((#\+) (next! in) (repeat in 1 #f node))
    ((#\?) (next! in) (repeat in 0 1 node))
    ((#\{)
     (next! in)
     (let* ((least (parse-integer in))
            (most (cond ((not (accept! in #\,)) least)
                        ((eqv? (peek in) #\}) #f)
                        (else (parse-integer in)))))
       (expect! in #\})
       (if (and most (< most least)) (fail in "a range the wrong way round"))
       (repeat in least most node)))
    (else node)))

(define (repeat in least most node)
  (if (eq? (car node) 'assert) (fail in "nothing to repeat"))
  (let ((lazy? (accept! in #\?)))
    (parse-repeats in
                   (list 'repeat least most
                         (if (flag? in #\U) (if lazy? #t #f) (not lazy?))
                         node))))

(define (digit? char) (and char (char<=? #\0 char #\9)))

(define (parse-integer in)
  (if (not (digit? (peek in))) (fail in "expected a number"))
  (let loop ((n 0))
    (if (digit? (peek in))
        (loop (+ (* 10 n) (digit-value (next! in))))
        n)))

(define (parse-atom in)
  (let ((char (next! in)))
    (case char
      ((#\.) (list 'set (if (flag? in #\s) (lambda (c) #t) not-newline?)))
      ((#\^) (list 'assert (if (flag? in #\m) at-line-start? at-start?)))
      ((#\$) (list 'assert (if (flag? in #\m) at-line-end? at-end?)))
      ((#\() (parse-group in))
      ((#\[) (set-node in (parse-class in)))
      ((#\\) (parse-escape in))
      ((#\* #\+ #\?) (fail in "nothing to repeat"))
      ((#\{) (fail in "nothing to repeat"))
      (else (char-node in char)))))

(define (not-newline? char) (not (char=? char #\newline)))

(define (char-node in char)
  (if (and (flag? in #\i)
           (not (and (char=? char (char-upcase char))
                     (char=? char (char-downcase char)))))
      (let ((folded (char-foldcase char)))
        (list 'set (lambda (c) (char=? (char-foldcase c) folded))))
      (list 'char char)))

(define (set-node in set)
  (list 'set (if (flag? in #\i) (set-fold-case set) set)))

;; Behind ( of a group.
(define (parse-group in)
  (cond ((not (accept! in #\?)) (finish-group in #f #t))
        ((accept! in #\P)
         (expect! in #\<)
         (finish-group in (parse-name in) #t))
        ((and (eqv? (peek in) #\<) (memv (peek in 1) '(#\= #\!)))
         (fail in "looking around is not supported"))
        ((accept! in #\<) (finish-group in (parse-name in) #t))
        ((memv (peek in) '(#\= #\!))
         (fail in "looking around is not supported"))
        (else (parse-flags in))))

(define (finish-group in name capture?)
  (let ((node (parse-or in)))
    (expect! in #\))
    (if capture? (list 'group name node) node)))

(define (parse-name in)
  (let loop ((out '()))
    (let ((char (next! in)))
      (cond ((and (char=? char #\>) (pair? out))
             (string->symbol (list->string (reverse out))))
            ((word-char? char) (loop (cons char out)))
            (else (fail in "a bad name of a group"))))))

;; (?flags) or (?flags:...); flags behind - are taken away.
(define (parse-flags in)
  (let ((outer (input-flags in)))
    (let loop ((flags outer) (add? #t))
      (let ((char (next! in)))
        (case char
          ((#\i #\m #\s #\U #\u #\x)
           (loop (if add?
                     (cons char flags)
                     (without char flags))
                 add?))
          ((#\-) (loop flags #f))
          ((#\)) (set-flags! in flags) '(empty))
          ((#\:)
           (set-flags! in flags)
           (let ((node (finish-group in #f #f)))
             (set-flags! in outer)
             node))
          (else (fail in "an unknown flag")))))))

(define (without item list)
  (cond ((null? list) '())
        ((eqv? item (car list)) (without item (cdr list)))
        (else (cons (car list) (without item (cdr list))))))

;; -- escapes ----------------------------------------------------------------

(define (parse-escape in)
  (case (peek in)
    ((#\b) (next! in) (list 'assert at-word-boundary?))
    ((#\B) (next! in) (list 'assert not-at-word-boundary?))
    ((#\A) (next! in) (list 'assert at-start?))
    ((#\z) (next! in) (list 'assert at-end?))
    (else
     (let ((what (parse-class-escape in)))
       (if (char? what) (char-node in what) (set-node in what))))))

;; What stands behind \, in a class or outside: a character or a predicate.
(define (parse-class-escape in)
  (let ((char (next! in)))
    (case char
      ((#\d) char-numeric?) ((#\D) (set-complement char-numeric?))
      ((#\w) word-char?) ((#\W) (set-complement word-char?))
      ((#\s) char-whitespace?) ((#\S) (set-complement char-whitespace?))
      ((#\n) #\newline) ((#\t) #\tab) ((#\r) #\return) ((#\f) #\x0c)
      ((#\v) #\x0b) ((#\a) #\alarm)
      ((#\x) (parse-hex in 2)) ((#\u) (parse-hex in 4)) ((#\U) (parse-hex in 8))
      ((#\p) (parse-property in)) ((#\P) (set-complement (parse-property in)))
      (else
       (cond ((digit? char) (fail in "references back are not supported"))
             ((or (char-alphabetic? char) (char-numeric? char))
              (fail in "an unknown escape"))
             (else char))))))

(define (parse-hex in digits)
  (let* ((text (if (accept! in #\{)
                   (take-until! in #\})
                   (take! in digits)))
         (n (string->number text 16)))
    (if (not (and n (<= 0 n #x10FFFF) (not (<= #xD800 n #xDFFF))))
        (fail in "not the number of a character"))
    (integer->char n)))

(define (take! in n)
  (let loop ((n n) (out '()))
    (if (= n 0)
        (list->string (reverse out))
        (loop (- n 1) (cons (next! in) out)))))

(define (take-until! in end)
  (let loop ((out '()))
    (let ((char (next! in)))
      (if (char=? char end)
          (list->string (reverse out))
          (loop (cons char out))))))

(define (in-set set) (lambda (char) (char-set-contains? set char)))

(define (parse-property in)
  (let* ((text (if (accept! in #\{) (take-until! in #\}) (take! in 1)))
         (negative? (and (> (string-length text) 0)
                         (char=? (string-ref text 0) #\^)))
         (name (if negative? (substring text 1 (string-length text)) text))
         (set (property-set in (string-downcase name))))
    (if negative? (set-complement set) set)))

(define (property-set in name)
  (case (string->symbol name)
    ((l letter) (in-set char-set:letter))
    ((lu uppercase_letter) (in-set char-set:upper-case))
    ((ll lowercase_letter) (in-set char-set:lower-case))
    ((lt titlecase_letter) (in-set char-set:title-case))
    ((n nd number decimal_number) (in-set char-set:digit))
    ((p punctuation) (in-set char-set:punctuation))
    ((s symbol) (in-set char-set:symbol))
    ((z zs separator) (in-set char-set:blank))
    ((cc control) (in-set char-set:iso-control))
    ((alphabetic alpha) char-alphabetic?)
    ((uppercase upper) char-upper-case?)
    ((lowercase lower) char-lower-case?)
    ((white_space whitespace) char-whitespace?)
    ((any) (lambda (char) #t))
    ((ascii) (lambda (char) (char<? char #\x80)))
    (else (fail in (string-append "an unknown property: " name)))))

;; -- classes ----------------------------------------------------------------

;; Behind [: a predicate. Items until ], && and -- and ~~ between classes.
(define (parse-class in)
  (let* ((negative? (accept! in #\^))
         (set (parse-class-ops in (parse-items in #t))))
    (expect! in #\])
    (if negative?
        ;; Complement after folding case, so that [^a] is not A either.
        (set-complement (if (flag? in #\i) (set-fold-case set) set))
        set)))

(define (operator? in char) (and (eqv? (peek in) char) (eqv? (peek in 1) char)))

(define (parse-class-ops in left)
  (cond ((operator? in #\&)
         (take! in 2)
         (parse-class-ops in (set-intersection left (parse-items in #f))))
        ((operator? in #\-)
         (take! in 2)
         (parse-class-ops
          in (set-intersection left (set-complement (parse-items in #f)))))
        ((operator? in #\~)
         (take! in 2)
         (let ((right (parse-items in #f)))
           (parse-class-ops
            in (lambda (char)
                 (if (left char) (not (right char)) (right char))))))
        (else left)))

;; A ] that comes FIRST? is an item.
(define (parse-items in first?)
  (let loop ((out '()) (first? first?))
    (cond ((not (peek in)) (fail in "a class without an end"))
          ((or (operator? in #\&) (and (not first?) (operator? in #\-))
               (operator? in #\~))
           (apply set-union out))
          ((and (eqv? (peek in) #\]) (not first?)) (apply set-union out))
          (else (loop (cons (parse-item in) out) #f)))))

(define (parse-item in)
  (cond ((and (eqv? (peek in) #\[) (eqv? (peek in 1) #\:))
         (take! in 2)
         (parse-named-class in))
        ((accept! in #\[) (parse-class in))
        (else
         (let ((low (parse-class-char in)))
           (if (and (char? low)
                    (eqv? (peek in) #\-)
                    (not (memv (peek in 1) '(#\] #\- #f))))
               (parse-range in low)
               (if (char? low) (set-range low low) low))))))

(define (parse-range in low)
  (next! in)
  (let ((high (parse-class-char in)))
    (if (not (and (char? high) (char<=? low high)))
        (fail in "a bad range of characters"))
    (set-range low high)))

(define (parse-class-char in)
  (let ((char (next! in)))
    (if (char=? char #\\)
        (if (accept! in #\b) #\backspace (parse-class-escape in))
        char)))

(define (parse-named-class in)
  (let* ((negative? (accept! in #\^))
         (name (take-until! in #\:)))
    (expect! in #\])
    (let ((set (set-intersection (lambda (char) (char<? char #\x80))
                                 (named-class in name))))
      (if negative? (set-complement set) set))))

(define (named-class in name)
  (case (string->symbol name)
    ((alnum) (in-set char-set:letter+digit))
    ((alpha) (in-set char-set:letter))
    ((ascii) (lambda (char) #t))
    ((blank) (in-set char-set:blank))
    ((cntrl) (in-set char-set:iso-control))
    ((digit) (in-set char-set:digit))
    ((graph) (in-set char-set:graphic))
    ((lower) (in-set char-set:lower-case))
    ((print) (lambda (char) (char<=? #\space char #\~)))
    ((punct) (set-union (in-set char-set:punctuation) (in-set char-set:symbol)))
    ((space) (in-set char-set:whitespace))
    ((upper) (in-set char-set:upper-case))
    ((word) word-char?)
    ((xdigit) (in-set char-set:hex-digit))
    (else (fail in (string-append "an unknown class: " name)))))

;; -- the door ---------------------------------------------------------------

;;> (pattern->program string)
;;> Return the program of a pattern; an error where it is malformed.
(define (pattern->program string)
  (let* ((in (make-input string 0 '()))
         (node (parse-or in)))
    (if (peek in) (fail in "a ) without its ("))
    (make-program node #f string)))

;;> (quote-pattern string)
;;> Return the pattern that matches STRING itself. (quote-pattern "a.b") => "a\\.b"
(define (quote-pattern string)
  (let ((out (open-output-string)))
    (string-for-each
     (lambda (char)
       (if (memv char (string->list "\\.+*?()|[]{}^$#&-~"))
           (write-char #\\ out))
       (write-char char out))
     string)
    (get-output-string out)))
