;;; (chibi string), the body.

;; -- cursors ----------------------------------------------------------------

;;> (string-cursor? obj)
;;> Is OBJ a cursor, an index? (string-cursor? 0) => #t
(define (string-cursor? obj) (and (exact-integer? obj) (>= obj 0)))

;;> (string-cursor-start string)
;;> Return the cursor of the first character. (string-cursor-start "abc") => 0
(define (string-cursor-start string) 0)

;;> (string-cursor-end string)
;;> Return the cursor behind the last one. (string-cursor-end "abc") => 3
(define (string-cursor-end string) (string-length string))

;;> (string-cursor-ref string cursor)
;;> Return the character at CURSOR. (string-cursor-ref "abc" 1) => #\b
(define (string-cursor-ref string cursor) (string-ref string cursor))

;;> (string-cursor-next string cursor)
;;> Return the cursor one further. (string-cursor-next "abc" 0) => 1
(define (string-cursor-next string cursor) (+ cursor 1))

;;> (string-cursor-prev string cursor)
;;> Return the cursor one back. (string-cursor-prev "abc" 1) => 0
(define (string-cursor-prev string cursor) (- cursor 1))

;;> (string-cursor-forward string cursor n)
;;> Return the cursor N further. (string-cursor-forward "abc" 0 2) => 2
(define (string-cursor-forward string cursor n) (+ cursor n))

;;> (string-cursor-back string cursor n)
;;> Return the cursor N back. (string-cursor-back "abc" 3 2) => 1
(define (string-cursor-back string cursor n) (- cursor n))

;;> (string-cursor->index string cursor)
;;> Return the index of CURSOR. (string-cursor->index "abc" 2) => 2
(define (string-cursor->index string cursor) cursor)

;;> (string-index->cursor string index)
;;> Return the cursor of INDEX. (string-index->cursor "abc" 2) => 2
(define (string-index->cursor string index) index)

;;> (string-cursor=? a b)
;;> Are the cursors the same?
(define (string-cursor=? a b) (= a b))

;;> (string-cursor<? a b)
;;> Is cursor A in front of B?
(define (string-cursor<? a b) (< a b))

;;> (string-cursor<=? a b)
;;> Is cursor A not behind B?
(define (string-cursor<=? a b) (<= a b))

;;> (string-cursor>? a b)
;;> Is cursor A behind B?
(define (string-cursor>? a b) (> a b))

;;> (string-cursor>=? a b)
;;> Is cursor A not in front of B?
(define (string-cursor>=? a b) (>= a b))

;;> (substring-cursor string start [end])
;;> Return the part between two cursors. (substring-cursor "abcd" 1 3) => "bc"
(define (substring-cursor string start . end)
  (if (pair? end)
      (substring string start (car end))
      (substring string start (string-length string))))

;; -- searching --------------------------------------------------------------

;; Calls (f start end) for the optional arguments REST.
(define (with-range string rest f)
  (f (if (pair? rest) (car rest) 0)
     (if (and (pair? rest) (pair? (cdr rest)))
         (cadr rest)
         (string-length string))))

;;> (string-find string check [start [end]])
;;> Return the cursor of the first character that passes CHECK, or END.
;;> (string-find "abc0" char-numeric?) => 3
(define (string-find string check . rest)
  (with-range string rest
    (lambda (start end)
      (or (at:string-index string check start end) end))))

;;> (string-find? string check [start [end]])
;;> Does a character pass CHECK? (string-find? "abc" #\b) => #t
(define (string-find? string check . rest)
  (with-range string rest
    (lambda (start end)
      (if (at:string-index string check start end) #t #f))))

;;> (string-find-right string check [start [end]])
;;> Return the cursor behind the last character that passes CHECK, or START.
;;> (string-find-right "a0bc" char-numeric?) => 2
(define (string-find-right string check . rest)
  (with-range string rest
    (lambda (start end)
      (let ((i (at:string-index-right string check start end)))
        (if i (+ i 1) start)))))

;;> (string-skip string check [start [end]])
;;> Return the cursor of the first character that fails CHECK, or END.
;;> (string-skip "  a" char-whitespace?) => 2
(define (string-skip string check . rest)
  (with-range string rest
    (lambda (start end)
      (or (at:string-skip string check start end) end))))

;;> (string-skip-right string check [start [end]])
;;> Return the cursor behind the last character that fails CHECK, or START.
;;> (string-skip-right "a  " char-whitespace?) => 1
(define (string-skip-right string check . rest)
  (with-range string rest
    (lambda (start end)
      (let ((i (at:string-skip-right string check start end)))
        (if i (+ i 1) start)))))

;;> (string-contains string part [start])
;;> Return the cursor where PART begins in STRING, or #f.
;;> (string-contains "hello world" "wor") => 6
(define (string-contains string part . start)
  (apply at:string-contains string part start))

;;> (string-contains-all string part)
;;> Return the list of the cursors where PART begins, without overlaps.
;;> (string-contains-all "abcabc" "bc") => (1 4)
(define (string-contains-all string part)
  (let ((step (max 1 (string-length part))))
    (let loop ((start 0) (out '()))
      (let ((at (and (<= start (string-length string))
                     (at:string-contains string part start))))
        (if at
            (loop (+ at step) (cons at out))
            (reverse out))))))

;;> (make-string-searcher part)
;;> Return a procedure that takes a string and says where PART begins, or #f.
;;> ((make-string-searcher "b") "abc") => 1
(define (make-string-searcher part)
  (lambda (string . start) (apply string-contains string part start)))

;;> (string-mismatch prefix string)
;;> Return the first cursor where PREFIX and STRING differ or one ends.
;;> (string-mismatch "abx" "abc") => 2
(define (string-mismatch prefix string)
  (let ((end (min (string-length prefix) (string-length string))))
    (let loop ((i 0))
      (if (and (< i end)
               (char=? (string-ref prefix i) (string-ref string i)))
          (loop (+ i 1))
          i))))

;;> (string-mismatch-right suffix string)
;;> Return the index of the last character of STRING that is none of SUFFIX's; -1
;;> where there is none. (string-mismatch-right "bc" "abc") => 0
(define (string-mismatch-right suffix string)
  (let loop ((i (- (string-length suffix) 1)) (j (- (string-length string) 1)))
    (if (and (>= i 0) (>= j 0)
             (char=? (string-ref suffix i) (string-ref string j)))
        (loop (- i 1) (- j 1))
        j)))

;; -- making -----------------------------------------------------------------

;;> (string-join strings [separator])
;;> Return the strings joined, with SEPARATOR between them.
;;> (string-join '("a" "b") ", ") => "a, b"
(define (string-join strings . separator)
  (let ((out (open-output-string))
        (separator (if (pair? separator) (car separator) "")))
    (let loop ((rest strings) (first #t))
      (if (pair? rest)
          (begin
            (if (not first) (write-string separator out))
            (write-string (car rest) out)
            (loop (cdr rest) #f))))
    (get-output-string out)))

;;> (string-split string [check [limit]])
;;> Return the parts of STRING between the characters that pass CHECK (at first
;;> #\space), at most LIMIT. (string-split "a:b:c" #\: 2) => ("a" "b:c")
(define (string-split string . rest)
  (let ((check (if (pair? rest) (car rest) #\space))
        (limit (and (pair? rest) (pair? (cdr rest)) (cadr rest)))
        (end (string-length string)))
    (let loop ((start 0) (n 1) (out '()))
      (let ((at (if (and limit (>= n limit))
                    end
                    (string-find string check start))))
        (cond ((= end 0) '())
              ((< at end)
               (loop (+ at 1) (+ n 1) (cons (substring string start at) out)))
              (else (reverse (cons (substring string start end) out))))))))

(define (check-of rest) (if (pair? rest) (car rest) char-whitespace?))

;;> (string-trim-left string [check])
;;> Leave out the characters in front that pass CHECK, at first white space.
;;> (string-trim-left " a ") => "a "
(define (string-trim-left string . rest)
  (substring string (string-skip string (check-of rest))
             (string-length string)))

;;> (string-trim-right string [check])
;;> Leave out the characters at the end that pass CHECK.
;;> (string-trim-right " a ") => " a"
(define (string-trim-right string . rest)
  (substring string 0 (string-skip-right string (check-of rest))))

;;> (string-trim string [check])
;;> Leave out the characters at both ends that pass CHECK.
;;> (string-trim " a ") => "a"
(define (string-trim string . rest)
  (let ((start (string-skip string (check-of rest))))
    (substring string start
               (string-skip-right string (check-of rest) start))))

;;> (string-downcase-ascii string)
;;> Return STRING with A to Z in lower case. (string-downcase-ascii "AÄ") => "aÄ"
(define (string-downcase-ascii string)
  (string-map (lambda (char)
                (if (char<=? #\A char #\Z) (char-downcase char) char))
              string))

;;> (string-upcase-ascii string)
;;> Return STRING with a to z in upper case. (string-upcase-ascii "aä") => "Aä"
(define (string-upcase-ascii string)
  (string-map (lambda (char)
                (if (char<=? #\a char #\z) (char-upcase char) char))
              string))

;;> (call-with-input-string string procedure)
;;> Call PROCEDURE with a port that reads from STRING.
;;> (call-with-input-string "abc" read-char) => #\a
(define (call-with-input-string string procedure)
  (procedure (open-input-string string)))
