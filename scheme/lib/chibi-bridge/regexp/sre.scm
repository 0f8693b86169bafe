;;; SREs, the body. FLAGS is a list of nocase, ascii, nocapture.

(define (fail sre) (error "regexp: not a regular expression" sre))

(define (in-set set) (lambda (char) (char-set-contains? set char)))

(define (ascii? char) (char<? char #\x80))

;; -- sets of characters -----------------------------------------------------

;; The predicate of a name, or #f.
(define (named-set name)
  (case name
    ((any) (lambda (char) #t))
    ((nonl) (lambda (char) (not (memv char '(#\newline #\return)))))
    ((ascii) ascii?)
    ((lower-case lower) (in-set char-set:lower-case))
    ((upper-case upper) (in-set char-set:upper-case))
    ((title-case title) (in-set char-set:title-case))
    ((alphabetic alpha) (in-set char-set:letter))
    ((numeric num digit) (in-set char-set:digit))
    ((alphanumeric alphanum alnum) (in-set char-set:letter+digit))
    ((punctuation punct) (in-set char-set:punctuation))
    ((symbol) (in-set char-set:symbol))
    ((graphic graph) (in-set char-set:graphic))
    ((whitespace white space) (in-set char-set:whitespace))
    ((printing print) (in-set char-set:printing))
    ((control cntrl) (in-set char-set:iso-control))
    ((hex-digit xdigit) (in-set char-set:hex-digit))
    (else #f)))

(define (chars-set string)
  (let ((chars (string->list string)))
    (lambda (char) (if (memv char chars) #t #f))))

;; The predicate of (/ "az" #\0 #\9 ...).
(define (ranges-set parts sre)
  (let loop ((chars (apply append
                           (map (lambda (part)
                                  (cond ((string? part) (string->list part))
                                        ((char? part) (list part))
                                        (else (fail sre))))
                                parts)))
             (sets '()))
    (cond ((null? chars) (apply set-union sets))
          ((null? (cdr chars)) (fail sre))
          (else (loop (cddr chars)
                      (cons (set-range (car chars) (cadr chars)) sets))))))

;; The predicate of an SRE that is a set of characters; else #f.
(define (sre->set sre flags)
  (cond ((char? sre) (fold (lambda (char) (char=? char sre)) flags))
        ((char-set? sre) (fold (in-set sre) flags))
        ((and (string? sre) (= (string-length sre) 1))
         (sre->set (string-ref sre 0) flags))
        ((symbol? sre)
         (let ((set (named-set sre)))
           (and set
                (fold (if (memq 'ascii flags)
                          (set-intersection ascii? set)
                          set)
                      flags))))
        ((not (and (pair? sre) (list? sre))) #f)
        (else (form->set (car sre) (cdr sre) sre flags))))

(define (fold set flags)
  (if (memq 'nocase flags) (set-fold-case set) set))

(define (all-sets sres flags)
  (let loop ((rest sres) (out '()))
    (if (null? rest)
        (reverse out)
        (let ((set (sre->set (car rest) flags)))
          (and set (loop (cdr rest) (cons set out)))))))

(define (must-be-sets sres sre flags)
  (or (all-sets sres flags) (fail sre)))

(define (form->set head parts sre flags)
  (cond ((and (string? head) (null? parts)) (fold (chars-set head) flags))
        (else
         (case head
           ((char-set)
            (if (and (pair? parts) (string? (car parts)))
                (fold (chars-set (car parts)) flags)
                (fail sre)))
           ((/ char-range) (fold (ranges-set parts sre) flags))
           ((~ complement)
            (set-complement (apply set-union (must-be-sets parts sre flags))))
           ((- difference)
            (let ((sets (must-be-sets parts sre flags)))
              (if (null? sets) (fail sre))
              (set-intersection (car sets)
                                (set-complement
                                 (apply set-union (cdr sets))))))
           ((& and)
            (apply set-intersection (must-be-sets parts sre flags)))
           ((or |\||)
            (let ((sets (all-sets parts flags)))
              (and sets (apply set-union sets))))
           ((w/nocase w/case w/ascii w/unicode w/nocapture)
            (let ((sets (all-sets parts (with-flag head flags))))
              (and sets (= (length sets) 1) (car sets))))
           (else #f)))))

(define (without flag flags)
  (cond ((null? flags) '())
        ((eq? flag (car flags)) (without flag (cdr flags)))
        (else (cons (car flags) (without flag (cdr flags))))))

(define (with-flag head flags)
  (case head
    ((w/nocase) (cons 'nocase flags))
    ((w/case) (without 'nocase flags))
    ((w/ascii) (cons 'ascii flags))
    ((w/unicode) (without 'ascii flags))
    (else (cons 'nocapture flags))))

;; -- expressions ------------------------------------------------------------

(define (sre->node sre flags)
  (cond ((string? sre) (string->node sre flags))
        ((and (char? sre) (not (memq 'nocase flags))) (list 'char sre))
        ((sre->set sre flags) => (lambda (set) (list 'set set)))
        ((symbol? sre) (or (named-node sre flags) (fail sre)))
        ((not (and (pair? sre) (list? sre))) (fail sre))
        (else (form->node (car sre) (cdr sre) sre flags))))

(define (string->node string flags)
  (cons 'seq
        (map (lambda (char) (sre->node char flags)) (string->list string))))

(define (sequence sres flags)
  (if (and (pair? sres) (null? (cdr sres)))
      (sre->node (car sres) flags)
      (cons 'seq (map (lambda (sre) (sre->node sre flags)) sres))))

(define (named-node name flags)
  (case name
    ((bos) (list 'assert at-start?))
    ((eos) (list 'assert at-end?))
    ((bol) (list 'assert at-line-start?))
    ((eol) (list 'assert at-line-end?))
    ((bow) (list 'assert at-word-start?))
    ((eow) (list 'assert at-word-end?))
    ((nwb) (list 'assert not-at-word-boundary?))
    ((word) (sre->node '(word+ any) flags))
    ((grapheme) grapheme)
    ((bog eog) (list 'assert at-grapheme-boundary?))
    (else #f)))

(define (count? n) (and (exact-integer? n) (>= n 0)))

(define (repeated least most greedy? sres flags)
  (list 'repeat least most greedy? (sequence sres flags)))

(define (form->node head parts sre flags)
  (case head
    ((: seq) (sequence parts flags))
    ((or |\||) (cons 'or (map (lambda (part) (sre->node part flags)) parts)))
    ((* zero-or-more) (repeated 0 #f #t parts flags))
    ((+ one-or-more) (repeated 1 #f #t parts flags))
    ((? optional) (repeated 0 1 #t parts flags))
    ((*? non-greedy-zero-or-more) (repeated 0 #f #f parts flags))
    ((?? non-greedy-optional) (repeated 0 1 #f parts flags))
    ((= exactly >= at-least ** repeated **? non-greedy-repeated)
     (counted head parts sre flags))
    (($ submatch) (captured #f parts flags))
    ((-> submatch-named)
     (if (not (and (pair? parts) (symbol? (car parts)))) (fail sre))
     (captured (car parts) (cdr parts) flags))
    ((w/nocase w/case w/ascii w/unicode w/nocapture)
     (sequence parts (with-flag head flags)))
    ((word) (word-node (sequence parts flags)))
    ((word+)
     (let ((set (set-intersection
                 word-char?
                 (apply set-union (must-be-sets parts sre flags)))))
       (word-node (list 'repeat 1 #f #t (list 'set set)))))
    ((backref look-ahead look-behind neg-look-ahead neg-look-behind)
     (error "regexp: not in an expression of linear time" sre))
    (else (fail sre))))

(define (word-node node)
  (list 'seq (list 'assert at-word-start?) node (list 'assert at-word-end?)))

(define (captured name parts flags)
  (let ((node (sequence parts flags)))
    (if (memq 'nocapture flags) node (list 'group name node))))

(define (counted head parts sre flags)
  (if (not (and (pair? parts) (count? (car parts)))) (fail sre))
  (case head
    ((= exactly) (repeated (car parts) (car parts) #t (cdr parts) flags))
    ((>= at-least) (repeated (car parts) #f #t (cdr parts) flags))
    (else
     (if (not (and (pair? (cdr parts))
                   (count? (cadr parts))
                   (<= (car parts) (cadr parts))))
         (fail sre))
     (repeated (car parts) (cadr parts)
               (if (memq head '(** repeated)) #t #f)
               (cddr parts) flags))))

;; -- graphemes --------------------------------------------------------------

;; What goes on with a grapheme: marks and other characters that are neither
;; letters, digits, punctuation, symbols, blanks nor controls.
(define (extends? char)
  (and (char>=? char #\x300)
       (not (char-set-contains? char-set:letter+digit char))
       (not (char-set-contains? char-set:punctuation char))
       (not (char-set-contains? char-set:symbol char))
       (not (char-numeric? char))
       (not (char-whitespace? char))))

(define hangul-lead (set-range #\x1100 #\x115F))
(define hangul-vowel (set-range #\x1160 #\x11A7))
(define hangul-tail (set-range #\x11A8 #\x11FF))

(define grapheme
  `(or (seq (char #\return) (char #\newline))
       (seq (repeat 1 #f #t (set ,hangul-lead))
            (repeat 0 #f #t (set ,hangul-vowel))
            (repeat 0 #f #t (set ,hangul-tail))
            (repeat 0 #f #t (set ,extends?)))
       (seq (set ,(lambda (char) #t))
            (repeat 0 #f #t (set ,extends?)))))

(define (at-grapheme-boundary? string i start end)
  (or (= i start)
      (= i end)
      (not (joined? (string-ref string (- i 1)) (string-ref string i)))))

(define (joined? before after)
  (or (extends? after)
      (and (char=? before #\return) (char=? after #\newline))
      (and (hangul-lead before) (or (hangul-lead after) (hangul-vowel after)))
      (and (hangul-vowel before) (or (hangul-vowel after) (hangul-tail after)))
      (and (hangul-tail before) (hangul-tail after))))

;; -- the door ---------------------------------------------------------------

;; Is a part of NODE not greedy? Then the expression says what it prefers.
(define (prefers? node)
  (and (pair? node)
       (case (car node)
         ((seq or) (any-prefers? (cdr node)))
         ((group) (prefers? (list-ref node 2)))
         ((repeat) (or (not (list-ref node 3)) (prefers? (list-ref node 4))))
         (else #f))))

(define (any-prefers? nodes)
  (and (pair? nodes) (or (prefers? (car nodes)) (any-prefers? (cdr nodes)))))

;;> (sre->program sre)
;;> Return the program of an SRE. Of matches that begin first it finds the longest,
;;> but with non-greedy parts the one that the expression prefers.
(define (sre->program sre)
  (let ((node (sre->node sre '())))
    (make-program node (not (prefers? node)) sre)))

;;> (valid-sre? obj)
;;> Is OBJ an SRE? (valid-sre? '(* "a")) => #t
(define (valid-sre? obj)
  (guard (e (#t #f))
    (sre->node obj '())
    #t))
