;;; (tein safe-regexp), the body.

;;> (regexp pattern)
;;> Return the regexp of a pattern, a string; of a regexp, itself.
;;> (regexp? (regexp "a+")) => #t
(define (regexp pattern)
  (cond ((program? pattern) pattern)
        ((string? pattern) (pattern->program pattern))
        (else (error "regexp: neither a pattern nor a regexp" pattern))))

;;> (regexp? obj)
;;> Is OBJ a regexp? (regexp? "a+") => #f
(define (regexp? obj) (program? obj))

(define (check-string who string)
  (if (not (string? string))
      (error (string-append who ": not a string") string)))

;; The match of POSITIONS, or #f.
(define (groups string positions)
  (and positions
       (let* ((n (quotient (vector-length positions) 2))
              (out (make-vector n #f)))
         (do ((i 0 (+ i 1))) ((= i n) out)
           (let ((start (vector-ref positions (* 2 i)))
                 (end (vector-ref positions (+ 1 (* 2 i)))))
             (if (and start end)
                 (vector-set! out i (vector (substring string start end)
                                            start end))))))))

(define (match-start match) (vector-ref (vector-ref match 0) 1))
(define (match-end match) (vector-ref (vector-ref match 0) 2))

(define (search program string from)
  (groups string
          (run-program program string 0 (string-length string) from #f)))

;;> (regexp-search regexp string)
;;> Return the first match, or #f.
;;> (regexp-search "\\d+" "abc42") => #(#("42" 3 5))
(define (regexp-search pattern string)
  (check-string "regexp-search" string)
  (search (regexp pattern) string 0))

;;> (regexp-search-from regexp string start)
;;> Return the first match from START on, or #f.
;;> (regexp-search-from "\\d+" "1 22" 1) => #(#("22" 2 4))
(define (regexp-search-from pattern string start)
  (check-string "regexp-search-from" string)
  (let ((start (max 0 start)))
    (and (<= start (string-length string))
         (search (regexp pattern) string start))))

;;> (regexp-matches regexp string)
;;> Return the match of the whole STRING, or #f.
;;> (regexp-matches "a|ab" "ab") => #(#("ab" 0 2))
(define (regexp-matches pattern string)
  (check-string "regexp-matches" string)
  (groups string
          (run-program (regexp pattern) string 0 (string-length string) 0 #t)))

;;> (regexp-matches? regexp string)
;;> Does it match the whole STRING? (regexp-matches? "\\d+" "12a") => #f
(define (regexp-matches? pattern string)
  (if (regexp-matches pattern string) #t #f))

;; Fold (f match out) over the matches from left to right. Behind an empty match
;; the search goes on one character further; an empty match right behind another
;; is none.
(define (fold-matches f seed program string)
  (let ((end (string-length string)))
    (let loop ((from 0) (last-end -1) (out seed))
      (let ((match (and (<= from end) (search program string from))))
        (cond ((not match) out)
              ((and (= (match-start match) (match-end match))
                    (= (match-end match) last-end))
               (loop (+ from 1) -1 out))
              (else
               (loop (match-end match) (match-end match) (f match out))))))))

;; -- replacing --------------------------------------------------------------

(define (name-char? char)
  (or (char<=? #\a char #\z) (char<=? #\A char #\Z) (char<=? #\0 char #\9)
      (char=? char #\_)))

;; The index of what ends the name that begins at I.
(define (name-end string i)
  (if (and (< i (string-length string)) (name-char? (string-ref string i)))
      (name-end string (+ i 1))
      i))

(define (index-of string char start)
  (let loop ((i start))
    (and (< i (string-length string))
         (if (char=? (string-ref string i) char) i (loop (+ i 1))))))

;; The text of the group with that name or number, or "".
(define (group-text program match name)
  (let* ((number (string->number name))
         (index (or number
                    (let loop ((names (program-group-names program)) (i 1))
                      (cond ((null? names) #f)
                            ((eq? (car names) (string->symbol name)) i)
                            (else (loop (cdr names) (+ i 1)))))))
         (group (and index
                     (< -1 index (vector-length match))
                     (vector-ref match index))))
    (if group (vector-ref group 0) "")))

;; Write TEMPLATE with $1, $name, ${name} and $$ filled in.
(define (write-replacement template program match out)
  (let ((n (string-length template)))
    (let loop ((i 0))
      (if (< i n)
          (let ((char (string-ref template i))
                (next (if (< (+ i 1) n) (string-ref template (+ i 1)) #\$)))
            (cond ((not (char=? char #\$))
                   (write-char char out)
                   (loop (+ i 1)))
                  ((char=? next #\$)
                   (write-char #\$ out)
                   (loop (+ i 2)))
                  ((and (char=? next #\{) (index-of template #\} i))
                   => (lambda (end)
                        (write-string
                         (group-text program match
                                     (substring template (+ i 2) end))
                         out)
                        (loop (+ end 1))))
                  ((name-char? next)
                   (let ((end (name-end template (+ i 1))))
                     (write-string
                      (group-text program match
                                  (substring template (+ i 1) end))
                      out)
                     (loop end)))
                  (else
                   (write-char char out)
                   (loop (+ i 1)))))))))

(define (check-template who template)
  (if (not (or (string? template) (procedure? template)))
      (error (string-append who ": neither a string nor a procedure")
             template)))

(define (write-new template program match out)
  (if (procedure? template)
      (write-string (template match) out)
      (write-replacement template program match out)))

;;> (regexp-replace regexp string replacement)
;;> Return STRING with the first match replaced. In REPLACEMENT $1, $name and
;;> ${name} stand for groups, $$ for $. It may be a procedure of the match.
;;> (regexp-replace "(\\w)(\\d)" "a1 b2" "$2$1") => "1a b2"
(define (regexp-replace pattern string replacement)
  (check-string "regexp-replace" string)
  (check-template "regexp-replace" replacement)
  (let* ((program (regexp pattern))
         (match (search program string 0))
         (out (open-output-string)))
    (if (not match)
        string
        (begin
          (write-string string out 0 (match-start match))
          (write-new replacement program match out)
          (write-string string out (match-end match))
          (get-output-string out)))))

;;> (regexp-replace-all regexp string replacement)
;;> Return STRING with all matches replaced.
;;> (regexp-replace-all "\\d" "a1b2" "<$0>") => "a<1>b<2>"
(define (regexp-replace-all pattern string replacement)
  (check-string "regexp-replace-all" string)
  (check-template "regexp-replace-all" replacement)
  (let* ((program (regexp pattern))
         (out (open-output-string))
         (end (fold-matches
               (lambda (match from)
                 (write-string string out from (match-start match))
                 (write-new replacement program match out)
                 (match-end match))
               0 program string)))
    (write-string string out end)
    (get-output-string out)))

;; -- taking apart -----------------------------------------------------------

;;> (regexp-split regexp string)
;;> Return the list of what stands between the matches.
;;> (regexp-split ", *" "a, b,c") => ("a" "b" "c")
(define (regexp-split pattern string)
  (check-string "regexp-split" string)
  (let ((state (fold-matches
                (lambda (match state)
                  (cons (match-end match)
                        (cons (substring string (car state)
                                         (match-start match))
                              (cdr state))))
                (list 0) (regexp pattern) string)))
    (reverse (cons (substring string (car state) (string-length string))
                   (cdr state)))))

;;> (regexp-extract regexp string)
;;> Return the list of all matches.
;;> (regexp-extract "\\d" "a1") => (#(#("1" 1 2)))
(define (regexp-extract pattern string)
  (check-string "regexp-extract" string)
  (reverse (fold-matches cons '() (regexp pattern) string)))

;;> (regexp-fold regexp kons knil string [finish [start [end]]])
;;> Fold (kons i match string out) over the matches, I counted from 0; the answer
;;> is (finish i #f string out), or OUT. With START and END only that part of STRING
;;> is searched, and positions count from START.
;;> (regexp-fold "\\d" (lambda (i m s n) (+ n 1)) 0 "a1b2") => 2
(define (regexp-fold pattern kons knil string . rest)
  (check-string "regexp-fold" string)
  (let* ((finish (and (pair? rest) (car rest)))
         (range (if (pair? rest) (cdr rest) '()))
         (text (if (pair? range) (apply string-copy string range) string))
         (i 0)
         (out (fold-matches
               (lambda (match out)
                 (let ((out (kons i match text out)))
                   (set! i (+ i 1))
                   out))
               knil (regexp pattern) text)))
    (if finish (finish i #f text out) out)))

;; -- matches ----------------------------------------------------------------

;;> (regexp-match-count match)
;;> Return the number of groups, the whole match included.
(define (regexp-match-count match) (vector-length match))

;;> (regexp-match-submatch match n)
;;> Return the text of group N, or #f. (regexp-match-submatch
;;> (regexp-search "a(b)" "ab") 1) => "b"
(define (regexp-match-submatch match n)
  (let ((group (vector-ref match n)))
    (and group (vector-ref group 0))))

;;> (regexp-match->list match)
;;> Return the list of the groups' texts, #f for a group without one.
;;> (regexp-match->list (regexp-search "a(b)?(c)" "ac")) => ("ac" #f "c")
(define (regexp-match->list match)
  (map (lambda (group) (and group (vector-ref group 0)))
       (vector->list match)))
