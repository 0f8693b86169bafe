;;; SRFI 13, what (chibi-bridge string) does not have under that name.

;; -- arguments --------------------------------------------------------------

(define (who-text who)
  (cond ((symbol? who) (symbol->string who))
        ((string? who) who)
        (else "string library")))

;;> (substring-spec-ok? string start end)
;;> Is START to END a span of STRING?
(define (substring-spec-ok? string start end)
  (and (string? string)
       (exact-integer? start)
       (exact-integer? end)
       (<= 0 start end (string-length string))))

;;> (check-substring-spec who string start end)
;;> An error unless START to END is a span of STRING.
(define (check-substring-spec who string start end)
  (if (not (substring-spec-ok? string start end))
      (error (string-append (who-text who) ": range out of the string")
             start end string)))

;;> (string-parse-start+end who string arguments)
;;> Return the arguments behind [start [end]], start and end.
(define (string-parse-start+end who string arguments)
  (let* ((n (string-length string))
         (start (if (pair? arguments) (car arguments) 0))
         (rest (if (pair? arguments) (cdr arguments) '()))
         (end (if (pair? rest) (car rest) n)))
    (check-substring-spec who string start end)
    (values (if (pair? rest) (cdr rest) '()) start end)))

;;> (string-parse-final-start+end who string arguments)
;;> Return start and end of the arguments [start [end]].
(define (string-parse-final-start+end who string arguments)
  (call-with-values
      (lambda () (string-parse-start+end who string arguments))
    (lambda (rest start end)
      (if (pair? rest)
          (error (string-append (who-text who) ": too many arguments") rest))
      (values start end))))

;;> (let-string-start+end (start end [rest]) who string arguments body ...)
;;> Evaluate the body with START and END of ARGUMENTS, and what is behind them.
(define-syntax let-string-start+end
  (syntax-rules ()
    ((_ (start end) who string arguments . body)
     (call-with-values
         (lambda () (string-parse-final-start+end who string arguments))
       (lambda (start end) . body)))
    ((_ (start end rest) who string arguments . body)
     (call-with-values
         (lambda () (string-parse-start+end who string arguments))
       (lambda (rest start end) . body)))))

;; The span of a string that the optional arguments say.
(define (span who string arguments)
  (if (null? arguments)
      string
      (let-string-start+end (start end) who string arguments
        (substring string start end))))

;; -- selection ----------------------------------------------------------------

;;> (substring/shared string start [end])
;;> Return a new string of the characters from START to END.
(define (substring/shared string start . rest)
  (substring string start (if (pair? rest) (car rest) (string-length string))))

;;> (xsubstring string from [to [start [end]]])
;;> Return characters of STRING repeated without end both ways.
;;> (xsubstring "abc" 2 7) => "cabca"
(define (xsubstring string from . rest)
  (let ((string (span 'xsubstring string (if (pair? rest) (cdr rest) '()))))
    (string-replicate string from
                      (if (pair? rest)
                          (car rest)
                          (+ from (string-length string))))))

;;> (string-xcopy! target at string from [to [start [end]]])
;;> Copy to TARGET what xsubstring answers for the other arguments.
(define (string-xcopy! target at string from . rest)
  (string-copy! target at (apply xsubstring string from rest)))

;;> (string-delete criterion string [start [end]])
;;> Return the characters that do not satisfy.
(define string-delete string-remove)

;;> (string-tokenize string [criterion [start [end]]])
;;> Return the list of the longest substrings of characters that satisfy, or
;;> that are no whitespace. (string-tokenize " a bc") => ("a" "bc")
(define (string-tokenize string . rest)
  (let ((criterion (if (pair? rest)
                       (car rest)
                       (lambda (char) (not (char-whitespace? char))))))
    (let-string-start+end (start end) 'string-tokenize string
                          (if (pair? rest) (cdr rest) '())
      (let loop ((i start) (out '()))
        (let ((from (string-index string criterion i end)))
          (if from
              (let ((to (or (string-skip string criterion from end) end)))
                (loop to (cons (substring string from to) out)))
              (reverse out)))))))

;; -- comparison ---------------------------------------------------------------

;; Calls (f a b start-a) with the spans of both strings.
(define (with-both who a b rest f)
  (let-string-start+end (start end rest) who a rest
    (f (substring a start end) (span who b rest) start)))

(define (comparing who common-length less?)
  (lambda (a b if-less if-same if-greater . rest)
    (with-both who a b rest
      (lambda (a b start)
        (let* ((n (common-length a b))
               (at (+ start n)))
          (cond ((< n (min (string-length a) (string-length b)))
                 (if (less? (string-ref a n) (string-ref b n))
                     (if-less at)
                     (if-greater at)))
                ((< (string-length a) (string-length b)) (if-less at))
                ((> (string-length a) (string-length b)) (if-greater at))
                (else (if-same at))))))))

;;> (string-compare a b less same greater [start-a end-a start-b end-b])
;;> Call one of three procedures by the order of the strings, with the index in
;;> A where they differ. (string-compare "abc" "abd" list - +) => (2)
(define string-compare
  (comparing 'string-compare string-prefix-length char<?))

;;> (string-compare-ci a b less same greater [start-a end-a start-b end-b])
;;> The same with case folded.
(define string-compare-ci
  (comparing 'string-compare-ci string-prefix-length-ci char-ci<?))

(define (relation who related?)
  (lambda (a b . rest)
    (if (null? rest)
        (related? a b)
        (with-both who a b rest (lambda (a b start) (related? a b))))))

;;> (string= a b [start-a end-a start-b end-b]), string< > <= >= <>
;;> Are two strings, or spans of them, in this relation?
(define string= (relation 'string= string=?))
(define string< (relation 'string< string<?))
(define string> (relation 'string> string>?))
(define string<= (relation 'string<= string<=?))
(define string>= (relation 'string>= string>=?))
(define string<>
  (relation 'string<> (lambda (a b) (not (string=? a b)))))

;;> (string-ci= a b [start-a end-a start-b end-b]), string-ci< > <= >= <>
;;> The same with case folded.
(define string-ci= (relation 'string-ci= string-ci=?))
(define string-ci< (relation 'string-ci< string-ci<?))
(define string-ci> (relation 'string-ci> string-ci>?))
(define string-ci<= (relation 'string-ci<= string-ci<=?))
(define string-ci>= (relation 'string-ci>= string-ci>=?))
(define string-ci<>
  (relation 'string-ci<> (lambda (a b) (not (string-ci=? a b)))))

;; BOUND #f or 0 is none.
(define (hash-of who string rest)
  (let ((string (span who string (if (pair? rest) (cdr rest) '())))
        (bound (if (pair? rest) (car rest) #f)))
    (if (and bound (> bound 0))
        (string-hash string bound)
        (string-hash string))))

;;> (string-hash string [bound [start [end]]])
;;> Return a hash of STRING, below BOUND.
(define (string-hash-13 string . rest) (hash-of 'string-hash string rest))

;;> (string-hash-ci string [bound [start [end]]])
;;> Return a hash that does not depend on case.
(define (string-hash-ci string . rest)
  (string-hash-13
   (string-foldcase (span 'string-hash-ci string
                          (if (pair? rest) (cdr rest) '())))
   (if (pair? rest) (car rest) 0)))

;; -- case, mapping ------------------------------------------------------------

;;> (string-upcase string [start [end]])
;;> Return the span in upper case.
(define (string-upcase-13 string . rest)
  (string-upcase (span 'string-upcase string rest)))

;;> (string-downcase string [start [end]])
;;> Return the span in lower case.
(define (string-downcase-13 string . rest)
  (string-downcase (span 'string-downcase string rest)))

;; The procedure that stores what (f char) answers for the span's characters.
(define (in-place who f)
  (lambda (string . rest)
    (let-string-start+end (start end) who string rest
      (let loop ((i start))
        (if (< i end)
            (begin (string-set! string i (f (string-ref string i)))
                   (loop (+ i 1))))))))

;;> (string-upcase! string [start [end]])
;;> Put the span in upper case, each character by itself.
(define string-upcase! (in-place 'string-upcase! char-upcase))

;;> (string-downcase! string [start [end]])
;;> Put the span in lower case, each character by itself.
(define string-downcase! (in-place 'string-downcase! char-downcase))

;; Store the string that (f string start end) answers in place of the span.
(define (replacing who f)
  (lambda (string . rest)
    (let-string-start+end (start end) who string rest
      (string-copy! string start (f string start end)))))

;;> (string-titlecase! string [start [end]])
;;> Put the span in title case.
(define string-titlecase! (replacing 'string-titlecase! string-titlecase))

;;> (string-reverse! string [start [end]])
;;> Reverse the span in place.
(define string-reverse! (replacing 'string-reverse! string-reverse))

;; [start [end]] or further strings?
(define (span-arguments? rest)
  (and (pair? rest) (exact-integer? (car rest))))

;;> (string-map f string [start [end]])
;;> (string-map f string string ...)
;;> Return the string of what F answers for the characters.
(define (string-map-13 f string . rest)
  (if (span-arguments? rest)
      (string-map f (span 'string-map string rest))
      (apply string-map f string rest)))

;;> (string-map! f string [start [end]])
;;> Replace each character by F's answer for it.
(define (string-map! f string . rest)
  (apply (in-place 'string-map! f) string rest))

;;> (string-for-each f string [start [end]])
;;> (string-for-each f string string ...)
;;> Call F with each character.
(define (string-for-each-13 f string . rest)
  (if (span-arguments? rest)
      (string-for-each f (span 'string-for-each string rest))
      (apply string-for-each f string rest)))

;; -- appending ----------------------------------------------------------------

;;> (string-append/shared string ...)
;;> Append the strings; one that is alone may be the answer.
(define (string-append/shared . strings)
  (string-concatenate/shared strings))

;;> (string-concatenate/shared strings)
;;> Append a list of strings; one that is alone may be the answer.
(define (string-concatenate/shared strings)
  (if (and (pair? strings) (null? (cdr strings)))
      (car strings)
      (string-concatenate strings)))

;;> (string-concatenate-reverse/shared strings [last [end]])
;;> Append a list of strings, the last one first.
(define string-concatenate-reverse/shared string-concatenate-reverse)

;; -- Knuth, Morris, Pratt -----------------------------------------------------

(define (argument rest k default)
  (cond ((null? rest) default)
        ((= k 0) (car rest))
        (else (argument (cdr rest) (- k 1) default))))

;;> (make-kmp-restart-vector pattern [same? [start [end]]])
;;> Return the vector that says where in PATTERN to go on after a mismatch at an
;;> index: the length of the longest border of what matched, -1 for none.
(define (make-kmp-restart-vector pattern . rest)
  (let* ((same? (argument rest 0 char=?))
         (pattern (span 'make-kmp-restart-vector pattern
                        (if (pair? rest) (cdr rest) '())))
         (n (string-length pattern))
         (restart (make-vector n -1)))
    (let loop ((i 1) (border -1))
      (if (< i n)
          (let ((border (next-border pattern restart same? (- i 1) border)))
            (vector-set! restart i border)
            (loop (+ i 1) border))))
    restart))

;; The length of the longest border of the first i + 1 characters, where BORDER
;; is that of the first i.
(define (next-border pattern restart same? i border)
  (cond ((= border -1) 0)
        ((same? (string-ref pattern i) (string-ref pattern border))
         (+ border 1))
        (else
         (next-border pattern restart same? i (vector-ref restart border)))))

;;> (kmp-step pattern restart char i same? start)
;;> Return how much of PATTERN, from START, has matched after CHAR, where i
;;> characters had before.
(define (kmp-step pattern restart char i same? start)
  (cond ((= i -1) 0)
        ((same? char (string-ref pattern (+ i start))) (+ i 1))
        (else
         (kmp-step pattern restart char (vector-ref restart i) same? start))))

;;> (string-kmp-partial-search pattern restart string i
;;> [same? [pattern-start [start [end]]]])
;;> Search on in STRING, where i characters of PATTERN have matched: return how
;;> many have at the end; or, negative, the index behind a whole match.
(define (string-kmp-partial-search pattern restart string i . rest)
  (let ((same? (argument rest 0 char=?))
        (from (argument rest 1 0))
        (n (vector-length restart)))
    (let-string-start+end (start end) 'string-kmp-partial-search string
                          (if (> (length rest) 2) (cddr rest) '())
      (let loop ((k start) (i i))
        (cond ((= i n) (- k))
              ((= k end) i)
              (else
               (loop (+ k 1)
                     (kmp-step pattern restart (string-ref string k)
                               i same? from))))))))
