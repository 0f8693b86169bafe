;;; Strings by index, the body.

(define (check-string who object)
  (if (not (string? object))
      (error (string-append (symbol->string who) ": not a string") object)))

;; Calls (f start end) for the optional arguments REST of WHO over STRING.
(define (with-span who string rest f)
  (check-string who string)
  (let* ((n (string-length string))
         (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) n))
         (start (if (pair? rest) (car rest) 0)))
    (if (not (and (exact-integer? start) (exact-integer? end)
                  (<= 0 start end n)))
        (error (string-append (symbol->string who) ": range out of the string")
               start end string))
    (f start end)))

;; Calls (f start-a end-a start-b end-b) for the optional arguments REST.
(define (with-spans who a b rest f)
  (with-span who a rest
    (lambda (start-a end-a)
      (with-span who b (behind-two rest)
        (lambda (start-b end-b) (f start-a end-a start-b end-b))))))

(define (behind-two rest)
  (if (and (pair? rest) (pair? (cdr rest))) (cddr rest) '()))

(define (in-string? char string)
  (let ((n (string-length string)))
    (let loop ((i 0))
      (and (< i n)
           (or (char=? char (string-ref string i)) (loop (+ i 1)))))))

;; What a criterion means: a predicate, a character, a character set or a string
;; of characters.
(define (->predicate who criterion)
  (cond ((procedure? criterion) criterion)
        ((char? criterion) (lambda (char) (char=? char criterion)))
        ((char-set? criterion)
         (lambda (char) (char-set-contains? criterion char)))
        ((string? criterion) (lambda (char) (in-string? char criterion)))
        (else (error (string-append (symbol->string who)
                                    ": not a predicate, character or string")
                     criterion))))

(define (string-of a b) (if (and (string? a) (not (string? b))) a b))
(define (criterion-of a b) (if (and (string? a) (not (string? b))) b a))

;; -- predicates, constructors -----------------------------------------------

;;> (string-null? string)
;;> Is STRING empty?
(define (string-null? string)
  (check-string 'string-null? string)
  (= (string-length string) 0))

;; Calls (f satisfied? i n) so that (satisfied? i) is the answer for index i,
;; from i to before n: of one string or a span of it, or of several strings.
(define (with-answers who criterion string rest f)
  (let ((satisfied? (->predicate who criterion)))
    (if (and (pair? rest) (string? (car rest)))
        (let ((strings (cons string rest)))
          (check-string who string)
          (f (lambda (i)
               (apply satisfied?
                      (map (lambda (string) (string-ref string i)) strings)))
             0
             (apply min (map string-length strings))))
        (with-span who string rest
          (lambda (start end)
            (f (lambda (i) (satisfied? (string-ref string i))) start end))))))

;;> (string-any criterion string [start [end]])
;;> (string-any criterion string string ...)
;;> Return the first true answer for a character, or #f.
(define (string-any criterion string . rest)
  (with-answers 'string-any criterion string rest
    (lambda (answer i n)
      (let loop ((i i))
        (and (< i n)
             (if (= (+ i 1) n)
                 (answer i)
                 (or (answer i) (loop (+ i 1)))))))))

;;> (string-every criterion string [start [end]])
;;> (string-every criterion string string ...)
;;> Return #f at the first false answer for a character, else the last answer.
(define (string-every criterion string . rest)
  (with-answers 'string-every criterion string rest
    (lambda (answer i n)
      (let loop ((i i))
        (cond ((>= i n) #t)
              ((= (+ i 1) n) (answer i))
              (else (and (answer i) (loop (+ i 1)))))))))

;;> (string-tabulate f n)
;;> Return the string of (f 0) ... (f (- n 1)).
(define (string-tabulate a b)
  (let ((f (if (procedure? a) a b))
        (n (if (procedure? a) b a)))
    (let loop ((i (- n 1)) (out '()))
      (if (< i 0) (list->string out) (loop (- i 1) (cons (f i) out))))))

(define (unfolded stop? mapper successor seed)
  (let loop ((seed seed) (out '()))
    (if (stop? seed)
        (cons seed out)
        (let ((piece (mapper seed)))
          (loop (successor seed)
                (cons (if (char? piece) (string piece) piece) out))))))

(define (base-of rest) (if (pair? rest) (car rest) ""))

(define (final-of rest seed)
  (if (and (pair? rest) (pair? (cdr rest))) ((cadr rest) seed) ""))

;;> (string-unfold stop? mapper successor seed [base [make-final]])
;;> Build a string from the left.
(define (string-unfold stop? mapper successor seed . rest)
  (let ((pieces (unfolded stop? mapper successor seed)))
    (string-append (base-of rest)
                   (string-concatenate (reverse (cdr pieces)))
                   (final-of rest (car pieces)))))

;;> (string-unfold-right stop? mapper successor seed [base [make-final]])
;;> Build a string from the right.
(define (string-unfold-right stop? mapper successor seed . rest)
  (let ((pieces (unfolded stop? mapper successor seed)))
    (string-append (final-of rest (car pieces))
                   (string-concatenate (cdr pieces))
                   (base-of rest))))

;;> (reverse-list->string chars)
;;> Return the string of the characters, last one first.
(define (reverse-list->string chars) (list->string (reverse chars)))

;; -- selection --------------------------------------------------------------

;;> (string-take string n), (string-drop string n), and the same with -right
;;> Return the first n characters, or all but those; or of the last n.
;;> (string-take "abc" 2) => "ab"
(define (string-take string n)
  (with-span 'string-take string (list 0 n)
    (lambda (start end) (substring string 0 n))))
(define (string-drop string n)
  (with-span 'string-drop string (list n)
    (lambda (start end) (substring string n end))))
(define (string-take-right string n)
  (check-string 'string-take-right string)
  (string-drop string (- (string-length string) n)))
(define (string-drop-right string n)
  (check-string 'string-drop-right string)
  (string-take string (- (string-length string) n)))

(define (pad-char rest) (if (pair? rest) (car rest) #\space))
(define (pad-span rest) (if (pair? rest) (cdr rest) '()))

;;> (string-pad string n [char [start [end]]])
;;> Return the last n characters, filled up with CHAR on the left.
;;> (string-pad "7" 3) => "  7"
(define (string-pad string n . rest)
  (with-span 'string-pad string (pad-span rest)
    (lambda (start end)
      (let ((length (- end start)))
        (if (<= n length)
            (substring string (- end n) end)
            (string-append (make-string (- n length) (pad-char rest))
                           (substring string start end)))))))
(define string-pad-left string-pad)

;;> (string-pad-right string n [char [start [end]]])
;;> Return the first n characters, filled up with CHAR on the right.
(define (string-pad-right string n . rest)
  (with-span 'string-pad-right string (pad-span rest)
    (lambda (start end)
      (let ((length (- end start)))
        (if (<= n length)
            (substring string start (+ start n))
            (string-append (substring string start end)
                           (make-string (- n length) (pad-char rest))))))))

(define (skip-left string satisfied? start end)
  (let loop ((i start))
    (if (and (< i end) (satisfied? (string-ref string i))) (loop (+ i 1)) i)))

(define (skip-right string satisfied? start end)
  (let loop ((i end))
    (if (and (> i start) (satisfied? (string-ref string (- i 1))))
        (loop (- i 1))
        i)))

(define (trimmer who left? right?)
  (lambda (string . rest)
    (let ((satisfied? (if (pair? rest)
                          (->predicate who (car rest))
                          char-whitespace?)))
      (with-span who string (pad-span rest)
        (lambda (start end)
          (let* ((from (if left? (skip-left string satisfied? start end) start))
                 (to (if right? (skip-right string satisfied? from end) end)))
            (substring string from to)))))))

;;> (string-trim string [criterion [start [end]]]), also -right, -both
;;> Return STRING without the characters (whitespace) at that end; string-trim
;;> is the left one. (string-trim-both " a ") => "a"
(define string-trim (trimmer 'string-trim #t #f))
(define string-trim-left (trimmer 'string-trim-left #t #f))
(define string-trim-right (trimmer 'string-trim-right #f #t))
(define string-trim-both (trimmer 'string-trim-both #t #t))

;;> (string-replace a b start-a end-a [start-b [end-b]])
;;> Return A with the span replaced by (the span of) B.
(define (string-replace a b start end . rest)
  (with-span 'string-replace a (list start end)
    (lambda (start end)
      (with-span 'string-replace b rest
        (lambda (start-b end-b)
          (string-append (substring a 0 start)
                         (substring b start-b end-b)
                         (substring a end (string-length a))))))))

;;> (string-take-while string criterion [start [end]])
;;> Return the characters in front of the first that does not satisfy.
;;> (string-take-while "12ab" char-numeric?) => "12"
(define (string-take-while string criterion . rest)
  (with-span 'string-take-while string rest
    (lambda (start end)
      (substring string start
                 (or (string-skip string criterion start end) end)))))

;;> (string-drop-while string criterion [start [end]])
;;> Return the characters from the first on that does not satisfy.
(define (string-drop-while string criterion . rest)
  (with-span 'string-drop-while string rest
    (lambda (start end)
      (substring string
                 (or (string-skip string criterion start end) end)
                 end))))

;; The index behind the last character that does not satisfy.
(define (behind-last string criterion start end)
  (let ((i (string-skip-right string criterion start end)))
    (if i (+ i 1) start)))

;;> (string-take-while-right string criterion [start [end]])
;;> Return the characters behind the last that does not satisfy.
(define (string-take-while-right string criterion . rest)
  (with-span 'string-take-while-right string rest
    (lambda (start end)
      (substring string (behind-last string criterion start end) end))))

;;> (string-drop-while-right string criterion [start [end]])
;;> Return the characters up to the last that does not satisfy.
(define (string-drop-while-right string criterion . rest)
  (with-span 'string-drop-while-right string rest
    (lambda (start end)
      (substring string start (behind-last string criterion start end)))))

;;> (string-span string criterion [start [end]])
;;> Return string-take-while's answer and string-drop-while's.
(define (string-span string criterion . rest)
  (values (apply string-take-while string criterion rest)
          (apply string-drop-while string criterion rest)))

;;> (string-break string criterion [start [end]])
;;> Return the characters in front of the first that satisfies, and the others.
(define (string-break string criterion . rest)
  (with-span 'string-break string rest
    (lambda (start end)
      (let ((i (or (string-index string criterion start end) end)))
        (values (substring string start i) (substring string i end))))))

;; -- prefixes and searching -------------------------------------------------

;; How many characters of A from i and B from j are the same?
(define (common same? a i a-end b j b-end)
  (let loop ((n 0))
    (if (and (< (+ i n) a-end)
             (< (+ j n) b-end)
             (same? (string-ref a (+ i n)) (string-ref b (+ j n))))
        (loop (+ n 1))
        n)))

(define (common-end same? a a-start a-end b b-start b-end)
  (let ((most (min (- a-end a-start) (- b-end b-start))))
    (let loop ((n 0))
      (if (and (< n most)
               (same? (string-ref a (- a-end n 1))
                      (string-ref b (- b-end n 1))))
          (loop (+ n 1))
          n))))

(define (prefix-length who same?)
  (lambda (a b . rest)
    (with-spans who a b rest
      (lambda (a-start a-end b-start b-end)
        (common same? a a-start a-end b b-start b-end)))))

(define (suffix-length who same?)
  (lambda (a b . rest)
    (with-spans who a b rest
      (lambda (a-start a-end b-start b-end)
        (common-end same? a a-start a-end b b-start b-end)))))

;; The predicate of a procedure that answers the length of what is common.
(define (whole? who common-length)
  (lambda (a b . rest)
    (with-span who a (if (pair? (behind-two rest))
                         (list (car rest) (cadr rest))
                         rest)
      (lambda (start end)
        (= (apply common-length a b rest) (- end start))))))

;;> (string-prefix-length a b [start-a end-a start-b end-b])
;;> Return the length of the longest common prefix; -ci: case folded.
;;> (string-prefix-length "abc" "abd") => 2
(define string-prefix-length (prefix-length 'string-prefix-length char=?))
(define string-prefix-length-ci
  (prefix-length 'string-prefix-length-ci char-ci=?))

;;> (string-suffix-length a b [start-a end-a start-b end-b])
;;> Return the length of the longest common suffix; -ci: case folded.
(define string-suffix-length (suffix-length 'string-suffix-length char=?))
(define string-suffix-length-ci
  (suffix-length 'string-suffix-length-ci char-ci=?))

;;> (string-prefix? a b [start-a end-a start-b end-b])
;;> Does B begin with A? (string-prefix? "ab" "abc") => #t
(define string-prefix? (whole? 'string-prefix? string-prefix-length))
(define string-prefix-ci? (whole? 'string-prefix-ci? string-prefix-length-ci))

;;> (string-suffix? a b [start-a end-a start-b end-b])
;;> Does B end with A? (string-suffix? "bc" "abc") => #t
(define string-suffix? (whole? 'string-suffix? string-suffix-length))
(define string-suffix-ci? (whole? 'string-suffix-ci? string-suffix-length-ci))

(define (search-left who string criterion wanted rest)
  (check-string who string)
  (let ((satisfied? (->predicate who criterion)))
    (with-span who string rest
      (lambda (start end)
        (let loop ((i start))
          (cond ((= i end) #f)
                ((eq? wanted (and (satisfied? (string-ref string i)) #t)) i)
                (else (loop (+ i 1)))))))))

(define (search-right who string criterion wanted rest)
  (check-string who string)
  (let ((satisfied? (->predicate who criterion)))
    (with-span who string rest
      (lambda (start end)
        (let loop ((i (- end 1)))
          (cond ((< i start) #f)
                ((eq? wanted (and (satisfied? (string-ref string i)) #t)) i)
                (else (loop (- i 1)))))))))

;;> (string-index string criterion [start [end]]), also -right, string-skip
;;> Return the index of the first (last) character that satisfies (does not),
;;> or #f. (string-index "a=b" #\=) => 1
(define (string-index string criterion . rest)
  (search-left 'string-index string criterion #t rest))
(define (string-index-right string criterion . rest)
  (search-right 'string-index-right string criterion #t rest))
(define (string-skip string criterion . rest)
  (search-left 'string-skip string criterion #f rest))
(define (string-skip-right string criterion . rest)
  (search-right 'string-skip-right string criterion #f rest))

;; A in B at i?
(define (at? same? a a-start a-end b i b-end)
  (= (common same? a a-start a-end b i b-end) (- a-end a-start)))

;; The first place of the span of A in that of B, or #f: the engine's search.
(define (find-from a a-start a-end b b-start b-end)
  (let ((at (%string-search-forward
             (if (= (- a-end a-start) (string-length a))
                 a
                 (substring a a-start a-end))
             b
             b-start)))
    (and at (<= (+ at (- a-end a-start)) b-end) at)))

(define (find-ci a a-start a-end b b-start b-end)
  (let ((last (- b-end (- a-end a-start))))
    (let loop ((i b-start))
      (cond ((> i last) #f)
            ((at? char-ci=? a a-start a-end b i b-end) i)
            (else (loop (+ i 1)))))))

;;> (string-contains string pattern [start end [pattern-start pattern-end]])
;;> Return the index of the first place of PATTERN in STRING, or #f.
;;> (string-contains "hello" "l") => 2
(define (string-contains string pattern . rest)
  (with-spans 'string-contains string pattern rest
    (lambda (start end from to)
      (find-from pattern from to string start end))))

;;> (string-contains-ci string pattern [start end [pattern-start pattern-end]])
;;> The same with case folded.
(define (string-contains-ci string pattern . rest)
  (with-spans 'string-contains-ci string pattern rest
    (lambda (start end from to)
      (find-ci pattern from to string start end))))

;;> (string-contains-right string pattern [start end [pattern-start
;;> pattern-end]])
;;> Return the index of the last place of PATTERN in STRING, or #f.
(define (string-contains-right string pattern . rest)
  (with-spans 'string-contains-right string pattern rest
    (lambda (start end from to)
      (let loop ((i (- end (- to from))))
        (cond ((< i start) #f)
              ((at? char=? pattern from to string i end) i)
              (else (loop (- i 1))))))))

;; -- the whole string -------------------------------------------------------

;;> (string-reverse string [start [end]])
;;> Return the characters in reverse order.
(define (string-reverse string . rest)
  (with-span 'string-reverse string rest
    (lambda (start end)
      (list->string (reverse (string->list string start end))))))

;;> (string-concatenate strings)
;;> Append a list of strings.
(define (string-concatenate strings) (apply string-append strings))

;;> (string-concatenate-reverse strings [last [end]])
;;> Append a list of strings, the last one first.
(define (string-concatenate-reverse strings . rest)
  (let* ((last (if (pair? rest) (car rest) ""))
         (last (if (and (pair? rest) (pair? (cdr rest)))
                   (substring last 0 (cadr rest))
                   last)))
    (string-concatenate (reverse (cons last strings)))))

(define (between strings delimiter)
  (let loop ((rest (cdr strings)) (out (list (car strings))))
    (if (pair? rest)
        (loop (cdr rest) (cons (car rest) (cons delimiter out)))
        (string-concatenate (reverse out)))))

(define (->string who object)
  (cond ((string? object) object)
        ((char? object) (string object))
        (else (error (string-append (symbol->string who) ": not a string")
                     object))))

;;> (string-join strings [delimiter [grammar]])
;;> Append STRINGS with DELIMITER (a space) between them; GRAMMAR is infix,
;;> strict-infix, prefix or suffix. (string-join '("a" "b") ", ") => "a, b"
(define (string-join strings . rest)
  (if (not (list? strings)) (error "string-join: not a list" strings))
  (for-each (lambda (string) (check-string 'string-join string)) strings)
  (let ((delimiter (if (pair? rest) (->string 'string-join (car rest)) " "))
        (grammar (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) 'infix)))
    (case grammar
      ((infix strict-infix)
       (cond ((pair? strings) (between strings delimiter))
             ((eq? grammar 'infix) "")
             (else (error "string-join: no strings for strict-infix"))))
      ((prefix)
       (string-concatenate
        (map (lambda (string) (string-append delimiter string)) strings)))
      ((suffix)
       (string-concatenate
        (map (lambda (string) (string-append string delimiter)) strings)))
      (else (error "string-join: unknown grammar" grammar)))))

;; The next place of the delimiter: calls (f start end), or (f #f #f).
(define (find-delimiter string delimiter i end f)
  (if (string? delimiter)
      (let* ((n (string-length delimiter))
             (at (find-from delimiter 0 n string i end)))
        (if at (f at (+ at n)) (f #f #f)))
      (let ((at (search-left 'string-split string delimiter #t (list i end))))
        (if at (f at (+ at 1)) (f #f #f)))))

(define (pieces string delimiter limit start end)
  (let loop ((i start) (limit limit) (out '()))
    (if (eqv? limit 0)
        (reverse (cons (substring string i end) out))
        (find-delimiter string delimiter i end
          (lambda (from to)
            (if from
                (loop to (and limit (- limit 1))
                      (cons (substring string i from) out))
                (reverse (cons (substring string i end) out))))))))

(define (without-first-empty list)
  (if (and (pair? list) (string=? (car list) "")) (cdr list) list))

(define (split string delimiter grammar limit start end)
  (cond ((= start end)
         (if (eq? grammar 'strict-infix)
             (error "string-split: empty string for strict-infix")
             '()))
        ((equal? delimiter "")
         (map (lambda (char) (make-string 1 char))
              (string->list string start end)))
        (else
         (let ((list (pieces string delimiter limit start end)))
           (case grammar
             ((prefix) (without-first-empty list))
             ((suffix) (reverse (without-first-empty (reverse list))))
             (else list))))))

;;> (string-split string delimiter [grammar [limit [start [end]]]])
;;> Return the list of the pieces of STRING between the delimiters: a string, a
;;> character or a predicate. (string-split "a,b" ",") => ("a" "b")
(define (string-split string delimiter . rest)
  (let* ((grammar (if (pair? rest) (car rest) 'infix))
         (rest (if (pair? rest) (cdr rest) '()))
         (limit (and (pair? rest) (car rest)))
         (rest (if (pair? rest) (cdr rest) '())))
    (with-span 'string-split string rest
      (lambda (start end)
        (split string delimiter grammar limit start end)))))

;;> (string-fold kons knil string [start [end]]), string-fold-right
;;> Combine the characters: (kons char accumulated).
(define (string-fold kons knil string . rest)
  (with-span 'string-fold string rest
    (lambda (start end)
      (let loop ((i start) (out knil))
        (if (< i end) (loop (+ i 1) (kons (string-ref string i) out)) out)))))
(define (string-fold-right kons knil string . rest)
  (with-span 'string-fold-right string rest
    (lambda (start end)
      (let loop ((i end) (out knil))
        (if (> i start)
            (loop (- i 1) (kons (string-ref string (- i 1)) out))
            out)))))

;;> (string-count string criterion [start [end]])
;;> Count the characters that satisfy.
(define (string-count a b . rest)
  (let* ((string (string-of a b))
         (satisfied? (->predicate 'string-count (criterion-of a b))))
    (apply string-fold
           (lambda (char n) (if (satisfied? char) (+ n 1) n))
           0 string rest)))

(define (selected who a b rest wanted)
  (let* ((string (if (string? b) b a))
         (satisfied? (->predicate who (if (string? b) a b))))
    (list->string
     (apply string-fold-right
            (lambda (char out)
              (if (eq? wanted (and (satisfied? char) #t)) (cons char out) out))
            '() string rest))))

;;> (string-filter criterion string [start [end]]), string-remove
;;> Return the characters that satisfy, or those that do not.
(define (string-filter a b . rest) (selected 'string-filter a b rest #t))
(define (string-remove a b . rest) (selected 'string-remove a b rest #f))

;;> (string-for-each-index f string [start [end]])
;;> Call F with each index.
(define (string-for-each-index f string . rest)
  (with-span 'string-for-each-index string rest
    (lambda (start end)
      (let loop ((i start))
        (if (< i end) (begin (f i) (loop (+ i 1))))))))

;;> (string-map-index f string [start [end]])
;;> Return the string of what F answers for each index.
(define (string-map-index f string . rest)
  (with-span 'string-map-index string rest
    (lambda (start end)
      (let loop ((i start) (out '()))
        (if (< i end)
            (loop (+ i 1) (cons (f i) out))
            (reverse-list->string out))))))

;;> (string-replicate string from to [start [end]])
;;> Return characters FROM to TO of STRING repeated without end both ways.
(define (string-replicate string from to . rest)
  (with-span 'string-replicate string rest
    (lambda (start end)
      (let ((n (- end start)))
        (string-tabulate
         (lambda (i) (string-ref string (+ start (modulo (+ from i) n))))
         (- to from))))))

;;> (string-titlecase string [start [end]])
;;> Return STRING with the first letter of each word in title case, the rest in
;;> lower case. (string-titlecase "hello world") => "Hello World"
(define (string-titlecase string . rest)
  (with-span 'string-titlecase string rest
    (lambda (start end)
      (let loop ((i start) (inside #f) (out '()))
        (if (= i end)
            (reverse-list->string out)
            (let* ((char (string-ref string i))
                   (letter (char-alphabetic? char)))
              (loop (+ i 1) letter
                    (cons (cond ((not letter) char)
                                (inside (char-downcase char))
                                (else (char-titlecase char)))
                          out))))))))

;;> (string-segment string k)
;;> Return the list of substrings of length k; the last may be shorter.
(define (string-segment string k)
  (let ((n (string-length string)))
    (let loop ((i 0) (out '()))
      (if (< i n)
          (loop (+ i k) (cons (substring string i (min n (+ i k))) out))
          (reverse out)))))
