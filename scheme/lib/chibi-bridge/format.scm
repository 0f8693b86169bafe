;;; Formatted output, the body. What is put out is a reversed list of strings,
;;; which a directive is given together with the arguments that are left; it
;;; answers both anew.

;; -- numbers ------------------------------------------------------------------

(define exponent-from (expt 10 21))

;; The digits of n with a point in front of the last `decimals` of them.
(define (with-point n decimals)
  (let* ((digits (number->string n))
         (missing (- (+ decimals 1) (string-length digits)))
         (digits (if (> missing 0)
                     (string-append (make-string missing #\0) digits)
                     digits))
         (at (- (string-length digits) decimals)))
    (string-append (substring digits 0 at)
                   "."
                   (substring digits at (string-length digits)))))

(define (scaled x decimals) (round (* x (expt 10 decimals))))

;; The exact x, at least 1, as a number from 1 to below 10 and its exponent.
(define (scientific x decimals)
  (let loop ((exponent (- (string-length (number->string (truncate x))) 1)))
    (let ((n (scaled (/ x (expt 10 exponent)) decimals)))
      (if (< n (expt 10 (+ decimals 1)))
          (string-append (with-point n decimals) "e" (number->string exponent))
          (loop (+ exponent 1))))))

(define (fixed-real x decimals)
  (if (and (inexact? x) (not (finite? x)))
      (number->string x)
      (let* ((exact-x (exact x))
             (magnitude (abs exact-x)))
        (string-append
         (if (negative? exact-x) "-" "")
         (if (< magnitude exponent-from)
             (with-point (scaled magnitude decimals) decimals)
             (scientific magnitude decimals))))))

;;> (fixed-point number decimals)
;;> Return the text of NUMBER with this many decimals, rounded to even.
;;> (fixed-point 2/3 2) => "0.67"
(define (fixed-point number decimals)
  (if (real? number)
      (fixed-real number decimals)
      (let ((imaginary (fixed-real (imag-part number) decimals)))
        (string-append (fixed-real (real-part number) decimals)
                       (if (memv (string-ref imaginary 0) '(#\+ #\-)) "" "+")
                       imaginary
                       "i"))))

;; -- objects ------------------------------------------------------------------

(define (text-by put object)
  (let ((port (open-output-string)))
    (put object port)
    (get-output-string port)))

(define (padding text width char)
  (make-string (max 0 (- (or width 0) (string-length text))) char))

(define (pad-left text width char)
  (string-append (padding text width char) text))

(define (pad-right text width char)
  (string-append text (padding text width char)))

(define line-width 79)

(define (contains-label? text)
  (let ((n (string-length text)))
    (let loop ((i 0))
      (and (< (+ i 2) n)
           (or (and (char=? (string-ref text i) #\#)
                    (char=? (string-ref text (+ i 1)) #\0)
                    (char=? (string-ref text (+ i 2)) #\=))
               (loop (+ i 1)))))))

;; The text of an object that begins in this column: of a list that is too long
;; for the line each element has a line of its own.
(define (pretty object column)
  (let ((text (text-by write object)))
    (if (or (not (pair? object))
            (not (list? object))
            (<= (+ column (string-length text)) line-width)
            (contains-label? text))
        text
        (let ((indent (if (symbol? (car object)) 2 1)))
          (string-append
           "("
           (pretty (car object) (+ column 1))
           (pretty-rest (cdr object) (+ column indent))
           ")")))))

(define (pretty-rest objects column)
  (let loop ((rest objects) (out '()))
    (if (null? rest)
        (apply string-append (reverse out))
        (loop (cdr rest)
              (cons (string-append "\n"
                                   (make-string column #\space)
                                   (pretty (car rest) column))
                    out)))))

;; -- directives ---------------------------------------------------------------

(define help
  "(format [port] control object ...): port is #f or left out for a string, #t
for the current output, or a port. In the control string are:
~a display   ~s write      ~w write, with labels   ~y pretty print
~d decimal   ~x hexadecimal   ~o octal   ~b binary   ~c character
~w,dF a number in width w with d decimals   ~? ~k a control and its arguments
~% newline   ~& newline unless at one   ~_ space   ~t tab   ~~ tilde   ~h this
")

(define (format-error message . irritants)
  (apply error (string-append "format: " message) irritants))

;; Is the last character that was put out known, and no newline?
(define (inside-line? out)
  (cond ((null? out) #f)
        ((string=? (car out) "") (inside-line? (cdr out)))
        (else
         (let ((text (car out)))
           (not (char=? #\newline
                        (string-ref text (- (string-length text) 1))))))))

(define (radix-text object radix)
  (if (number? object)
      (number->string object radix)
      (text-by display object)))

(define (fixed-text object decimals)
  (cond ((not (number? object)) (text-by display object))
        (decimals (fixed-point object decimals))
        (else (number->string object))))

(define (char-text object)
  (if (char? object)
      (string object)
      (format-error "~c wants a character" object)))

;; The text of an argument for a directive, or #f where it takes none.
(define (argument-text directive width second object)
  (case directive
    ((#\a) (pad-right (text-by display object) width #\space))
    ((#\s #\w) (pad-right (text-by write object) width #\space))
    ((#\d) (pad-left (radix-text object 10) width (or second #\space)))
    ((#\x) (pad-left (radix-text object 16) width (or second #\space)))
    ((#\o) (pad-left (radix-text object 8) width (or second #\space)))
    ((#\b) (pad-left (radix-text object 2) width (or second #\space)))
    ((#\f) (pad-left (fixed-text object second) width #\space))
    ((#\c) (char-text object))
    (else (string-append (pretty object 0) "\n"))))

(define (takes-argument? directive)
  (memv directive '(#\a #\s #\w #\d #\x #\o #\b #\f #\c #\y)))

;; The text of a directive without arguments, or #f.
(define (plain-text directive out)
  (case directive
    ((#\%) "\n")
    ((#\&) (if (inside-line? out) "\n" ""))
    ((#\~) "~")
    ((#\_) " ")
    ((#\t) "\t")
    ((#\h) help)
    (else #f)))

(define (next-argument directive args)
  (if (pair? args)
      (car args)
      (format-error "too few arguments: none is left for"
                    (string #\~ directive))))

;; ~? and ~k: a control string and the list of its arguments.
(define (indirect directive out args)
  (let ((control (next-argument directive args))
        (list (next-argument directive (cdr args))))
    (if (not (string? control))
        (format-error "~? wants a control string" control))
    (cons (finished (expand control out list))
          (cddr args))))

(define (expand-directive directive width second out args)
  (cond ((takes-argument? directive)
         (let ((object (next-argument directive args)))
           (cons (cons (argument-text directive width second object) out)
                 (cdr args))))
        ((memv directive '(#\? #\k)) (indirect directive out args))
        ((plain-text directive out)
         => (lambda (text) (cons (cons text out) args)))
        (else
         (format-error "unknown directive; ~h puts out those there are"
                       (string #\~ directive)))))

;; -- control strings ----------------------------------------------------------

;; Calls (f parameter i) with the number, or the character after ', that stands
;; at i, or with #f.
(define (read-parameter control i f)
  (let ((n (string-length control)))
    (let loop ((k i))
      (cond ((and (< k n) (char<=? #\0 (string-ref control k) #\9))
             (loop (+ k 1)))
            ((> k i) (f (string->number (substring control i k)) k))
            ((and (< (+ k 1) n) (char=? (string-ref control k) #\'))
             (f (string-ref control (+ k 1)) (+ k 2)))
            (else (f #f i))))))

;; Calls (f width second directive i) for the directive behind a tilde.
(define (read-directive control i f)
  (define (finish width second i)
    (if (< i (string-length control))
        (f width second (char-downcase (string-ref control i)) (+ i 1))
        (format-error "the control string ends in a tilde" control)))
  (read-parameter control i
    (lambda (width i)
      (if (and (< i (string-length control))
               (char=? (string-ref control i) #\,))
          (read-parameter control (+ i 1)
            (lambda (second i) (finish width second i)))
          (finish width #f i)))))

(define (next-tilde control i)
  (let ((n (string-length control)))
    (let loop ((i i))
      (if (or (= i n) (char=? (string-ref control i) #\~)) i (loop (+ i 1))))))

;; What is put out, and the arguments that are left.
(define (expand control out args)
  (let loop ((i 0) (out out) (args args))
    (let* ((at (next-tilde control i))
           (out (if (= at i) out (cons (substring control i at) out))))
      (if (= at (string-length control))
          (cons out args)
          (read-directive control (+ at 1)
            (lambda (width second directive i)
              (let ((next (expand-directive directive width second out args)))
                (loop i (car next) (cdr next)))))))))

(define (finished out+args)
  (if (pair? (cdr out+args))
      (format-error "too many arguments" (cdr out+args)))
  (car out+args))

(define (formatted control args)
  (if (not (string? control))
      (format-error "no control string" control))
  (apply string-append (reverse (finished (expand control '() args)))))

;;> (format [destination] control object ...)
;;> Put the objects in the places of the control string's directives: ~a as by
;;> display, ~s as by write, ~d decimal, ~8,2F fixed point, ~% newline, ~~ tilde
;;> (~h puts out them all). Without a destination or with #f return the string;
;;> with #t or a port write it there. (format "~a: ~s" 'x "y") => "x: \"y\""
(define (format destination . args)
  (cond ((string? destination) (formatted destination args))
        ((null? args) (format-error "no control string"))
        ((not destination) (formatted (car args) (cdr args)))
        ((eq? destination #t)
         (write-string (formatted (car args) (cdr args))))
        ((output-port? destination)
         (write-string (formatted (car args) (cdr args)) destination))
        (else
         (format-error "not #f, #t, a port or a control string"
                       destination))))
