;;; (chibi regexp), the body.

;; -- compiling --------------------------------------------------------------

;;> (regexp sre)
;;> Return the regexp of an SRE; of a regexp, itself.
;;> (regexp? (regexp '(* "ab"))) => #t
(define (regexp sre) (if (program? sre) sre (sre->program sre)))

;;> (regexp? obj)
;;> Is OBJ a regexp?
(define (regexp? obj) (program? obj))

;;> (rx sre ...)
;;> Return the regexp of a sequence of SREs, in which , and ,@ insert values.
;;> (regexp-matches? (rx (* "a") "b") "aab") => #t
(define-syntax rx
  (syntax-rules ()
    ((_ sre ...) (regexp `(: sre ...)))))

;;> (regexp->sre regexp)
;;> Return the SRE that REGEXP was made of.
;;> (regexp->sre (regexp '(* "a"))) => (* "a")
(define (regexp->sre rx) (program-source (regexp rx)))

;;> (char-set->sre char-set)
;;> Return the SRE of a character set.
(define (char-set->sre set) (list (char-set->string set)))

;; -- matches ----------------------------------------------------------------

(define-record-type <regexp-match>
  (make-match string positions names)
  regexp-match?
  (string match-string)
  (positions match-positions)
  (names match-names))

;;> (regexp-match-count match)
;;> Return the number of submatches, without the whole match.
(define (regexp-match-count match)
  (- (quotient (vector-length (match-positions match)) 2) 1))

(define (matched? match n)
  (let ((positions (match-positions match)))
    (and (vector-ref positions (* 2 n))
         (vector-ref positions (+ 1 (* 2 n)))
         #t)))

;; The number of FIELD: a number, or the name of a submatch, of several with this
;; name the first that matched.
(define (field-index who match field)
  (if (symbol? field)
      (let loop ((names (match-names match)) (i 1) (found #f))
        (cond ((null? names)
               (or found
                   (error (string-append who ": no submatch of this name")
                          field)))
              ((not (eq? (car names) field)) (loop (cdr names) (+ i 1) found))
              ((matched? match i) i)
              (else (loop (cdr names) (+ i 1) (or found i)))))
      (if (and (exact-integer? field)
               (<= 0 field (regexp-match-count match)))
          field
          (error (string-append who ": no submatch of this number") field))))

(define (field-of rest) (if (pair? rest) (car rest) 0))

;;> (regexp-match-submatch match [field])
;;> Return the text of a submatch, by number or name, or #f; 0 is the whole match.
(define (regexp-match-submatch match . rest)
  (let ((n (field-index "regexp-match-submatch" match (field-of rest)))
        (positions (match-positions match)))
    (and (matched? match n)
         (substring (match-string match)
                    (vector-ref positions (* 2 n))
                    (vector-ref positions (+ 1 (* 2 n)))))))

;;> (regexp-match-submatch-start match [field])
;;> Return where a submatch begins, or #f.
(define (regexp-match-submatch-start match . rest)
  (let ((n (field-index "regexp-match-submatch-start" match (field-of rest))))
    (and (matched? match n) (vector-ref (match-positions match) (* 2 n)))))

;;> (regexp-match-submatch-end match [field])
;;> Return where a submatch ends, or #f.
(define (regexp-match-submatch-end match . rest)
  (let ((n (field-index "regexp-match-submatch-end" match (field-of rest))))
    (and (matched? match n) (vector-ref (match-positions match) (+ 1 (* 2 n))))))

;;> (regexp-match->list match)
;;> Return the list of the texts of the whole match and all submatches.
;;> (regexp-match->list (regexp-search '(: "a" ($ "b")) "ab")) => ("ab" "b")
(define (regexp-match->list match)
  (let loop ((n (regexp-match-count match)) (out '()))
    (if (< n 0)
        out
        (loop (- n 1) (cons (regexp-match-submatch match n) out)))))

;;> (regexp-match->sexp match)
;;> The same as regexp-match->list.
(define (regexp-match->sexp match) (regexp-match->list match))

;; -- searching --------------------------------------------------------------

;; Calls (f start end) for the optional arguments REST; #f is as none.
(define (with-range who string rest f)
  (if (not (string? string))
      (error (string-append who ": not a string") string))
  (let* ((n (string-length string))
         (start (or (and (pair? rest) (car rest)) 0))
         (end (or (and (pair? rest) (pair? (cdr rest)) (cadr rest)) n)))
    (if (not (and (exact-integer? start) (exact-integer? end)
                  (<= 0 start end n)))
        (error (string-append who ": range out of the string") start end))
    (f start end)))

(define (run rx string start end from whole?)
  (let* ((program (regexp rx))
         (positions (run-program program string start end from whole?)))
    (and positions
         (make-match string positions (program-group-names program)))))

;;> (regexp-matches rx string [start [end]])
;;> Return the match of the whole text, or #f.
(define (regexp-matches rx string . rest)
  (with-range "regexp-matches" string rest
    (lambda (start end) (run rx string start end start #t))))

;;> (regexp-matches? rx string [start [end]])
;;> Is there a match of the whole text? (regexp-matches? '(+ num) "12") => #t
(define (regexp-matches? rx string . rest)
  (if (apply regexp-matches rx string rest) #t #f))

;;> (regexp-search rx string [start [end]])
;;> Return the first match, or #f.
(define (regexp-search rx string . rest)
  (with-range "regexp-search" string rest
    (lambda (start end) (run rx string start end start #f))))

;;> (regexp-fold rx kons knil string [finish [start [end]]])
;;> Fold (kons i match string out) over the matches, I being where the one before
;;> ended; the answer is (finish i #f string out), or OUT.
;;> (regexp-fold 'num (lambda (i m s n) (+ n 1)) 0 "a1b2") => 2
(define (regexp-fold rx kons knil string . rest)
  (with-range "regexp-fold" string (if (pair? rest) (cdr rest) '())
    (lambda (start end)
      (let ((program (regexp rx)))
        (let loop ((from start) (last start) (out knil))
          (let ((match (and (<= from end)
                            (run program string start end from #f))))
            (cond (match
                   (let ((stop (regexp-match-submatch-end match)))
                     (loop (if (= stop (regexp-match-submatch-start match))
                               (+ stop 1)
                               stop)
                           stop
                           (kons last match string out))))
                  ((and (pair? rest) (car rest))
                   ((car rest) last #f string out))
                  (else out))))))))

(define (empty? match)
  (= (regexp-match-submatch-start match) (regexp-match-submatch-end match)))

;; regexp-fold with the range behind the finisher's place.
(define (fold-range rx kons knil string finish rest)
  (apply regexp-fold rx kons knil string finish rest))

;;> (regexp-extract rx string [start [end]])
;;> Return the list of the texts of all matches that are not empty.
;;> (regexp-extract '(+ num) "1 22") => ("1" "22")
(define (regexp-extract rx string . rest)
  (reverse
   (fold-range rx
               (lambda (i match string out)
                 (if (empty? match)
                     out
                     (cons (regexp-match-submatch match) out)))
               '() string #f rest)))

;; Fold (kons piece match-or-#f out) over the pieces between the matches; an empty
;; match next to another one or to an end is none.
(define (fold-pieces rx kons knil string rest)
  (with-range "regexp" string rest
    (lambda (start end)
      (let ((state
             (fold-range
              rx
              (lambda (i match string state)
                (let ((from (car state))
                      (at (regexp-match-submatch-start match)))
                  (if (and (empty? match) (or (= at from) (= at end)))
                      state
                      (cons (regexp-match-submatch-end match)
                            (kons (substring string from at) match
                                  (cdr state))))))
              (cons start knil) string #f rest)))
        (kons (substring string (car state) end) #f (cdr state))))))

;;> (regexp-split rx string [start [end]])
;;> Return the list of what stands between the matches.
;;> (regexp-split '(+ space) " a b") => ("" "a" "b")
(define (regexp-split rx string . rest)
  (reverse (fold-pieces rx (lambda (piece match out) (cons piece out))
                        '() string rest)))

;;> (regexp-partition rx string [start [end]])
;;> Return the list of what stands between the matches and of the matches, in turn.
;;> (regexp-partition '(+ space) "a b") => ("a" " " "b")
(define (regexp-partition rx string . rest)
  (reverse
   (fold-pieces rx
                (lambda (piece match out)
                  (cond (match
                         (cons (regexp-match-submatch match) (cons piece out)))
                        ((and (string=? piece "") (pair? out)) out)
                        (else (cons piece out))))
                '() string rest)))

;; -- replacing --------------------------------------------------------------

;; The text that SUBST stands for: a string, the number or name of a submatch,
;; pre, post, a procedure of the match, or a list of these.
(define (substitution subst match string start end)
  (cond ((string? subst) subst)
        ((procedure? subst)
         (substitution (subst match) match string start end))
        ((pair? subst)
         (string-append
          (substitution (car subst) match string start end)
          (substitution (cdr subst) match string start end)))
        ((null? subst) "")
        ((eq? subst 'pre)
         (substring string start (regexp-match-submatch-start match)))
        ((eq? subst 'post)
         (substring string (regexp-match-submatch-end match) end))
        ((not subst) "")
        (else (or (regexp-match-submatch match subst) ""))))

;; STRING with TEXT in the place of MATCH.
(define (spliced string match text)
  (string-append (substring string 0 (regexp-match-submatch-start match))
                 text
                 (substring string (regexp-match-submatch-end match)
                            (string-length string))))

;;> (regexp-replace rx string subst [start [end [count]]])
;;> Return STRING with its first match, or the one COUNT behind it, replaced. SUBST
;;> is a string, the number or name of a submatch, pre or post (what stands around
;;> the match), a procedure of the match, or a list of these.
;;> (regexp-replace '($ (+ alpha)) "ab 1" '("<" 1 ">")) => "<ab> 1"
(define (regexp-replace rx string subst . rest)
  (with-range "regexp-replace" string rest
    (lambda (start end)
      (let ((program (regexp rx)))
        (let loop ((from start)
                   (count (if (= (length rest) 3) (list-ref rest 2) 0)))
          (let ((match (and (<= from end)
                            (run program string start end from #f))))
            (cond ((not match) string)
                  ((eqv? count 0)
                   (spliced string match
                            (substitution subst match string start end)))
                  (else
                   (loop (+ (regexp-match-submatch-end match)
                            (if (empty? match) 1 0))
                         (- count 1))))))))))

;;> (regexp-replace-all rx string subst [start [end]])
;;> Return STRING with all matches replaced.
;;> (regexp-replace-all '(+ space) "a  b c" "-") => "a-b-c"
(define (regexp-replace-all rx string subst . rest)
  (with-range "regexp-replace-all" string rest
    (lambda (start end)
      (let ((out (open-output-string)))
        (write-string string out 0 start)
        (write-string
         string out
         (fold-range rx
                     (lambda (i match string last)
                       (let ((at (regexp-match-submatch-start match)))
                         (if (and (empty? match) (= at last) (> at start))
                             last
                             (begin
                               (write-string string out last at)
                               (write-string
                                (substitution subst match string start end)
                                out)
                               (regexp-match-submatch-end match)))))
                     start string #f rest))
        (get-output-string out)))))
