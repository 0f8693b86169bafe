;;; (chibi parse), the body.

;; -- streams -------------------------------------------------------------------

(define-record-type Parse-Stream
  (%make-parse-stream file text memo)
  parse-stream?
  (file parse-stream-file)
  (text parse-stream-text)
  (memo parse-stream-memo)) ; by memoized parser: a table by index

;;> (make-parse-stream file source)
;;> Return a stream of the characters of SOURCE, a string or textual port; FILE is a
;;> name or #f.
(define (make-parse-stream file source)
  (%make-parse-stream file
                      (if (string? source) source (read-all source))
                      (make-hash-table eq?)))

(define (read-all port)
  (let ((out (open-output-string)))
    (let loop ()
      (let ((text (read-string 4096 port)))
        (if (eof-object? text)
            (get-output-string out)
            (begin
              (write-string text out)
              (loop)))))))

;;> (string->parse-stream string), (file->parse-stream path)
;;> Return a stream of the characters of a string or file.
;;> (parse-stream-ref (string->parse-stream "ab") 1) => #\b
(define (string->parse-stream string) (make-parse-stream #f string))
(define (file->parse-stream path)
  (call-with-input-file path (lambda (in) (make-parse-stream path in))))

(define (->stream source)
  (cond ((parse-stream? source) source)
        ((or (string? source) (input-port? source))
         (make-parse-stream #f source))
        ((list? source) (make-parse-stream #f (list->string source)))
        (else (error "parse: not a string, port or parse stream" source))))

;;> (parse-stream-start? source index), (parse-stream-end? source index)
;;> Is INDEX the first place, or the one behind the last character?
;;> (parse-stream-end? (string->parse-stream "ab") 2) => #t
(define (parse-stream-start? source index) (= index 0))
(define (parse-stream-end? source index)
  (>= index (string-length (parse-stream-text source))))

;;> (parse-stream-ref source index)
;;> Return the character at INDEX, the end-of-file object behind the last one.
(define (parse-stream-ref source index)
  (if (parse-stream-end? source index)
      (eof-object)
      (string-ref (parse-stream-text source) index)))

;;> (parse-stream-substring source index source index)
;;> Return the text between two places.
;;> (let ((s (string->parse-stream "abc"))) (parse-stream-substring s 1 s 3)) => "bc"
(define (parse-stream-substring s0 i0 s1 i1)
  (substring (parse-stream-text s0) i0 i1))

;; -- running ---------------------------------------------------------------------

;;> (call-with-parse parser source index success [failure])
;;> Run PARSER at INDEX; at first a failure's value is #f.
(define (call-with-parse parser source index success . failure)
  ((->parser parser) (->stream source) index success
   (if (pair? failure) (car failure) (lambda (s i reason) #f))))

;;> (parse parser source [index])
;;> Return the first result of PARSER, or #f. (parse (parse-char #\a) "ab") => #\a
(define (parse parser source . index)
  (call-with-parse parser source (if (pair? index) (car index) 0)
                   (lambda (result s i failure) result)))

(define (fully parser source index success)
  (let ((deepest #f))
    (call-with-parse
     parser source index
     (lambda (result s i failure)
       (if (parse-stream-end? s i)
           (success result s i)
           (begin
             (if (not deepest) (set! deepest (cons i "the text goes on")))
             (failure s i "the text goes on"))))
     (lambda (s i reason)
       (let ((at (or deepest (cons i reason))))
         (error (string-append "parse-fully: the text does not fit: "
                               (if (string? (cdr at)) (cdr at) "no rule"))
                (car at)))))))

;;> (parse-fully parser source [index])
;;> Return the result of PARSER for the whole text; an error where there is none.
;;> (parse-fully (parse-repeat (parse-char #\a)) "aa") => (#\a #\a)
(define (parse-fully parser source . index)
  (fully parser source (if (pair? index) (car index) 0)
         (lambda (result s i) result)))

;;> (parse-fold parser kons knil source [index])
;;> Call (KONS result state) for one result after the other.
;;> (parse-fold (parse-char #\a) cons '() "aab") => (#\a #\a)
(define (parse-fold parser kons knil source . index)
  (let ((f (->parser parser)) (stream (->stream source)))
    (let loop ((i (if (pair? index) (car index) 0)) (state knil))
      (f stream i
         (lambda (result s next failure)
           (let ((state (kons result state)))
             (if (= next i) state (loop next state))))
         (lambda (s i reason) state)))))

;;> (parse->list parser source [index]), (parse-fully->list parser source [index])
;;> Return the list of the results one after the other; up to the end.
;;> (parse->list (parse-char #\a) "aab") => (#\a #\a)
(define (parse->list parser source . index)
  (reverse (apply parse-fold parser cons '() source index)))
(define (parse-fully->list parser source . index)
  (apply parse-fully (parse-repeat (->parser parser)) source index))

;; -- single parsers ---------------------------------------------------------------

(define (->parser object)
  (cond ((procedure? object) object)
        ((string? object) (parse-string object))
        ((or (char? object) (char-set? object)) (parse-char object))
        (else (error "not a parser, string, character or character set"
                     object))))

;;> parse-anything, parse-nothing, parse-epsilon
;;> Any character; always a failure; nothing, with the result #t.
;;> (parse parse-anything "ab") => #\a
(define (parse-anything source index success failure)
  (if (parse-stream-end? source index)
      (failure source index "expected anything")
      (success (parse-stream-ref source index) source (+ index 1) failure)))
(define (parse-nothing source index success failure)
  (failure source index "nothing fits"))
(define (parse-epsilon source index success failure)
  (success #t source index failure))

(define ignored (list 'ignored))
(define (kept results)
  (cond ((null? results) '())
        ((eq? (car results) ignored) (kept (cdr results)))
        (else (cons (car results) (kept (cdr results))))))

;;> (parse-seq parser ...)
;;> One after the other; the list of the results that are not ignored.
;;> (parse (parse-seq (parse-char #\a) (parse-char #\b)) "ab") => (#\a #\b)
(define (parse-seq . parsers)
  (let ((parsers (map ->parser parsers)))
    (lambda (source index success failure)
      (let loop ((rest parsers) (s source) (i index) (fk failure) (results '()))
        (if (null? rest)
            (success (kept (reverse results)) s i fk)
            ((car rest) s i
             (lambda (result s i fk)
               (loop (cdr rest) s i fk (cons result results)))
             fk))))))

;;> (parse-and first second)
;;> What SECOND parses where FIRST would parse too.
(define (parse-and first second)
  (let ((first (->parser first)) (second (->parser second)))
    (lambda (source index success failure)
      (first source index
             (lambda (result s i fk) (second source index success fk))
             failure))))

;;> (parse-or parser ...)
;;> The first that fits; the others after a failure further on.
;;> (parse (parse-or (parse-char #\a) (parse-char #\b)) "b") => #\b
(define (parse-or . parsers)
  (let ((parsers (map ->parser parsers)))
    (lambda (source index success failure)
      (let loop ((rest parsers))
        (cond ((null? rest) (failure source index "no alternative fits"))
              ((null? (cdr rest)) ((car rest) source index success failure))
              (else
               ((car rest) source index success
                (lambda (s i reason) (loop (cdr rest))))))))))

;;> (parse-not parser)
;;> Nothing, with the result #t, where PARSER does not fit.
;;> (parse (parse-not (parse-char #\a)) "b") => #t
(define (parse-not parser)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk) (failure source index "does not belong here"))
         (lambda (s i reason) (success #t source index failure))))))

;;> (parse-repeat parser [least [most]])
;;> As often as it fits; the list of results.
;;> (parse (parse-repeat (parse-char #\a) 1 2) "aaa") => (#\a #\a)
(define (parse-repeat parser . bounds)
  (let ((f (->parser parser))
        (least (if (pair? bounds) (car bounds) 0))
        (most (and (pair? bounds) (pair? (cdr bounds)) (cadr bounds))))
    (lambda (source index success failure)
      (let repeat ((s source) (i index) (fk failure) (n 0) (results '()))
        (define (enough fk) (success (kept (reverse results)) s i fk))
        (if (and most (= n most))
            (enough fk)
            (f s i
               (lambda (result s2 i2 fk2)
                 (if (= i2 i)
                     (success (kept (reverse (cons result results))) s2 i2 fk2)
                     (repeat s2 i2 fk2 (+ n 1) (cons result results))))
               (lambda (s3 i3 reason)
                 (if (>= n least) (enough fk) (fk s i reason)))))))))

;;> (parse-repeat+ parser)
;;> Once or more often.
(define (parse-repeat+ parser) (parse-repeat parser 1))

;;> (parse-optional parser [default])
;;> What fits, or nothing, with the result DEFAULT, at first #f.
;;> (parse (parse-optional (parse-char #\a) 'none) "b") => none
(define (parse-optional parser . default)
  (let ((f (->parser parser)) (default (and (pair? default) (car default))))
    (lambda (source index success failure)
      (f source index success
         (lambda (s i reason) (success default source index failure))))))

;;> (parse-map parser procedure), (parse-map-substring parser [procedure])
;;> The result that PROCEDURE makes of that of PARSER, or of the text it took.
;;> (parse (parse-map (parse-char #\a) list) "a") => (#\a)
(define (parse-map parser procedure)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk) (success (procedure result) s i fk))
         failure))))
(define (parse-map-substring parser . procedure)
  (let ((f (->parser parser))
        (procedure (if (pair? procedure) (car procedure) (lambda (text) text))))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk)
           (success (procedure (parse-stream-substring source index s i)) s i fk))
         failure))))

;;> (parse-ignore parser)
;;> The same without a result: parse-seq and parse-repeat leave it out.
(define (parse-ignore parser) (parse-map parser (lambda (result) ignored)))

;;> (parse-assert parser check)
;;> The same where (CHECK result) is true.
;;> (parse (parse-assert parse-anything char-numeric?) "a") => #f
(define (parse-assert parser check)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk)
           (if (check result)
               (success result s i fk)
               (fk s i "an assertion failed")))
         failure))))

;;> (parse-atomic parser)
;;> The same; its first result is not taken back for another one.
(define (parse-atomic parser)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk) (success result s i failure))
         failure))))

;;> (parse-commit parser)
;;> The same; a failure after it is one of the whole parse, whose value is #f.
(define (parse-commit parser)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index
         (lambda (result s i fk) (success result s i (lambda (s i reason) #f)))
         failure))))

;;> (parse-with-failure-reason parser reason)
;;> The same; a failure has this reason.
(define (parse-with-failure-reason parser reason)
  (let ((f (->parser parser)))
    (lambda (source index success failure)
      (f source index success (lambda (s i r) (failure s i reason))))))

;;> (parse-memoize name parser)
;;> The same; at each place its first result, or that it does not fit, is kept, so a
;;> grammar does not try it twice there.
(define (parse-memoize name parser)
  (let ((f (->parser parser)) (key (list name)))
    (define (table source)
      (let ((memo (parse-stream-memo source)))
        (or (hash-table-ref/default memo key #f)
            (let ((table (make-hash-table eqv?)))
              (hash-table-set! memo key table)
              table))))
    (define (remember! table index what)
      (if (not (hash-table-ref/default table index #f))
          (hash-table-set! table index what)))
    (lambda (source index success failure)
      (let* ((table (table source))
             (known (hash-table-ref/default table index #f)))
        (cond ((not known)
               (f source index
                  (lambda (result s i fk)
                    (remember! table index (cons result i))
                    (success result s i fk))
                  (lambda (s i reason)
                    (remember! table index reason)
                    (failure s i reason))))
              ((pair? known) (success (car known) source (cdr known) failure))
              (else (failure source index known)))))))

;; -- characters ----------------------------------------------------------------------

;;> (parse-char-pred predicate)
;;> One character for which PREDICATE is true.
(define (parse-char-pred predicate)
  (lambda (source index success failure)
    (let ((char (parse-stream-ref source index)))
      (if (and (char? char) (predicate char))
          (success char source (+ index 1) failure)
          (failure source index "another character is expected")))))

(define (char-predicate object)
  (cond ((char? object) (lambda (char) (char=? char object)))
        ((char-set? object) (lambda (char) (char-set-contains? object char)))
        ((procedure? object) object)
        (else (error "not a character, character set or predicate" object))))

;;> (parse-char object), (parse-not-char object)
;;> One character that is, or is not, OBJECT: a character, a set, or a predicate.
;;> (parse (parse-char char-numeric?) "1") => #\1
(define (parse-char object) (parse-char-pred (char-predicate object)))
(define (parse-not-char object)
  (let ((predicate (char-predicate object)))
    (parse-char-pred (lambda (char) (not (predicate char))))))

;;> (parse-string string)
;;> This text. (parse (parse-string "ab") "abc") => "ab"
(define (parse-string string)
  (let ((length (string-length string)))
    (lambda (source index success failure)
      (let* ((text (parse-stream-text source)) (end (+ index length)))
        (if (and (<= end (string-length text))
                 (string=? string (substring text index end)))
            (success string source end failure)
            (failure source index (string-append "expected " string)))))))

;;> (parse-token object)
;;> The text of one or more characters, as many as there are.
;;> (parse (parse-token char-numeric?) "12a") => "12"
(define (parse-token object)
  (parse-atomic (parse-map-substring (parse-repeat+ (parse-char object)))))

;;> (parse-sre sre)
;;> What an S-expression says: a string, character, character set or parser; (: p ...)
;;> (or p ...) (* p ...) (+ p ...) (? p ...) (= n p ...) (>= n p ...) (** m n p ...).
;;> (parse (parse-sre '(: "a" (* "b"))) "abb") => ("a" ("b" "b"))
(define (parse-sre sre)
  (define (all parts)
    (if (and (pair? parts) (null? (cdr parts)))
        (parse-sre (car parts))
        (apply parse-seq (map parse-sre parts))))
  (if (pair? sre)
      (case (car sre)
        ((: seq) (apply parse-seq (map parse-sre (cdr sre))))
        ((or) (apply parse-or (map parse-sre (cdr sre))))
        ((* zero-or-more) (parse-repeat (all (cdr sre))))
        ((+ one-or-more) (parse-repeat+ (all (cdr sre))))
        ((? optional) (parse-optional (all (cdr sre))))
        ((=) (parse-repeat (all (cddr sre)) (cadr sre) (cadr sre)))
        ((>=) (parse-repeat (all (cddr sre)) (cadr sre)))
        ((**) (parse-repeat (all (cdr (cddr sre))) (cadr sre) (car (cddr sre))))
        (else (error "parse-sre: unknown form" sre)))
      (->parser sre)))

;; -- places ---------------------------------------------------------------------------

(define (parse-at test reason)
  (lambda (source index success failure)
    (if (test source index)
        (success #t source index failure)
        (failure source index reason))))

(define (char-before source index)
  (if (= index 0) #f (parse-stream-ref source (- index 1))))
(define (word-char? object)
  (and (char? object)
       (or (char-alphabetic? object) (char-numeric? object)
           (char=? object #\_))))

;;> parse-beginning, parse-end, parse-beginning-of-line, parse-end-of-line,
;;> parse-beginning-of-word, parse-end-of-word
;;> Nothing, with the result #t, at such a place. (parse parse-end "") => #t
(define parse-beginning (parse-at parse-stream-start? "not at the beginning"))
(define parse-end (parse-at parse-stream-end? "not at the end"))
(define parse-beginning-of-line
  (parse-at (lambda (source index)
              (memv (char-before source index) '(#f #\newline)))
            "not at the beginning of a line"))
(define parse-end-of-line
  (parse-at (lambda (source index)
              (or (parse-stream-end? source index)
                  (char=? #\newline (parse-stream-ref source index))))
            "not at the end of a line"))
(define parse-beginning-of-word
  (parse-at (lambda (source index)
              (and (word-char? (parse-stream-ref source index))
                   (not (word-char? (char-before source index)))))
            "not at the beginning of a word"))
(define parse-end-of-word
  (parse-at (lambda (source index)
              (and (word-char? (char-before source index))
                   (not (word-char? (parse-stream-ref source index)))))
            "not at the end of a word"))

;;> (parse-word [word]), (parse-word+ [object])
;;> A whole word: WORD, a parser or string, or any; one of characters of OBJECT.
;;> (parse (parse-word) "ab c") => "ab"
(define (parse-word . word)
  (parse-map (parse-seq parse-beginning-of-word
                        (if (pair? word) (car word) (parse-token word-char?))
                        parse-end-of-word)
             cadr))
(define (parse-word+ . object)
  (let ((predicate (if (pair? object) (char-predicate (car object)) word-char?)))
    (parse-word (parse-token (lambda (char)
                               (and (word-char? char) (predicate char)))))))

;; -- grammars ---------------------------------------------------------------------------

;;> (grammar start (name (pattern action ...) ...) ...)
;;> Return the parser of the rule START. A rule tries its patterns in their order; the
;;> value of its last ACTION is the result, without actions that of the pattern.
;;> Patterns: a string or character, ,parser (a parser, character set, string, or the
;;> name of a rule), (: p ...), (or p ...), (* p ...), (+ p ...), (? p ...), (! p) where p
;;> does not fit, (=> name p), whose result the actions see as NAME, () and eos.
;;> (parse (grammar sum (sum ((: (=> a ,parse-anything) "+" (=> b ,parse-anything))
;;>                           (list a b)))) "1+2") => (#\1 #\2)
(define-syntax grammar
  (syntax-rules ()
    ((_ start (name clause ...) ...)
     (let ()
       (define-grammar rules (name clause ...) ...)
       start))))

;;> (grammar/unmemoized start rule ...)
;;> The same; rules are tried again wherever they are asked for.
(define-syntax grammar/unmemoized
  (syntax-rules ()
    ((_ start (name clause ...) ...)
     (let ()
       (define-grammar/unmemoized rules (name clause ...) ...)
       start))))

;;> (define-grammar name (rule (pattern action ...) ...) ...)
;;> Define the parsers RULE ... of a grammar.
(define-syntax define-grammar
  (syntax-rules ()
    ((_ grammar (name clause ...) ...)
     (begin
       (define name (parse-memoize 'name (rule-parser clause ...))) ...))))

;;> (define-grammar/unmemoized name (rule (pattern action ...) ...) ...)
;;> The same; rules are tried again wherever they are asked for.
(define-syntax define-grammar/unmemoized
  (syntax-rules ()
    ((_ grammar (name clause ...) ...)
     (begin
       (define name (rule-parser clause ...)) ...))))

;; The variables of a clause are new in each use, since rules are recursive.
(define-syntax rule-parser
  (syntax-rules ()
    ((_ (pattern . actions) ...)
     (parse-or (clause-parser pattern . actions) ...))))

(define-syntax clause-parser
  (syntax-rules ()
    ((_ pattern)
     (clause-parser pattern => (lambda (result) result)))
    ((_ pattern => procedure)
     (collect-names (pattern-clause pattern procedure) () (pattern)))
    ((_ pattern action ...)
     (collect-names (pattern-clause pattern (lambda (result) action ...))
                    () (pattern)))))

(define-syntax pattern-clause
  (syntax-rules ()
    ((_ (name ...) pattern procedure)
     (lambda (source index success failure)
       (let* ((name #f) ...)
         ((pattern-parser pattern) source index
          (lambda (result s i fk) (success (procedure result) s i fk))
          failure))))))

;; Go on with (k (name ...) arg ...).
(define-syntax collect-names
  (syntax-rules (=> unquote : or * + ? !)
    ((_ (k . arguments) names ()) (k names . arguments))
    ((_ k names ((unquote x) . more)) (collect-names k names more))
    ((_ k (name ...) ((=> new p ...) . more))
     (collect-names k (name ... new) (p ... . more)))
    ((_ k names ((: p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names ((or p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names ((* p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names ((+ p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names ((? p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names ((! p ...) . more)) (collect-names k names (p ... . more)))
    ((_ k names (p . more)) (collect-names k names more))))

(define-syntax pattern-parser
  (syntax-rules (=> unquote : or * + ? ! eos)
    ((_ ()) parse-epsilon)
    ((_ eos) parse-end)
    ((_ (unquote x))
     (lambda (source index success failure)
       ((->parser x) source index success failure)))
    ((_ (=> name p))
     (keep-result (lambda () name) (lambda (x) (set! name x))
                  (pattern-parser p)))
    ((_ (=> name p ...)) (pattern-parser (=> name (: p ...))))
    ((_ (: p ...)) (parse-seq (pattern-parser p) ...))
    ((_ (or p ...)) (parse-or (pattern-parser p) ...))
    ((_ (* p)) (parse-repeat (pattern-parser p)))
    ((_ (* p ...)) (parse-repeat (pattern-parser (: p ...))))
    ((_ (+ p)) (parse-repeat+ (pattern-parser p)))
    ((_ (+ p ...)) (parse-repeat+ (pattern-parser (: p ...))))
    ((_ (? p)) (parse-optional (pattern-parser p)))
    ((_ (? p ...)) (parse-optional (pattern-parser (: p ...))))
    ((_ (! p)) (parse-not (pattern-parser p)))
    ((_ (! p ...)) (parse-not (pattern-parser (: p ...))))
    ((_ (p ...)) (syntax-error "grammar: unknown pattern" (p ...)))
    ((_ p) (->parser p))))

;; Store the result; what was there before is back after a failure.
(define (keep-result get set f)
  (lambda (source index success failure)
    (let ((before (get)))
      (f source index
         (lambda (result s i fk)
           (set result)
           (success result s i
                    (lambda (s i reason)
                      (set before)
                      (fk s i reason))))
         failure))))
