;;; SRFI 135, the body.

(define-record-type <text>
  (%make-text string start end)
  text?
  (string text-string)
  (start text-start)
  (end text-end))

;; The text of a string that nobody else will change.
(define (wrap string) (%make-text string 0 (string-length string)))

;; The string of a textual; of a text that is a whole one, without a copy.
(define (unwrap textual)
  (if (text? textual)
      (if (and (= 0 (text-start textual))
               (= (text-end textual) (string-length (text-string textual))))
          (text-string textual)
          (substring (text-string textual) (text-start textual)
                     (text-end textual)))
      textual))

(define (check who textual)
  (if (not (textual? textual))
      (error (string-append (symbol->string who) ": neither text nor string")
             textual)))

;; F of strings as a procedure of textuals; if WRAP?, its value is a text.
(define (lift who f wrap?)
  (lambda (first . rest)
    (if (not (or (procedure? first) (list? first))) (check who first))
    (let ((value (apply f (unwrap first) (map unwrap rest))))
      (if wrap? (wrap value) value))))

;; Calls (f string start end) for TEXTUAL, of which REST gives a range.
(define (with-range who textual rest f)
  (check who textual)
  (let* ((n (textual-length textual))
         (start (if (pair? rest) (car rest) 0))
         (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) n))
         (at (if (text? textual) (text-start textual) 0)))
    (if (not (and (exact-integer? start) (exact-integer? end)
                  (<= 0 start end n)))
        (error (string-append (symbol->string who) ": range out of the text")
               start end))
    (f (if (text? textual) (text-string textual) textual)
       (+ at start) (+ at end))))

;; -- predicates --------------------------------------------------------------

;;> (textual? obj)
;;> Is OBJ a text or a string?
(define (textual? obj) (or (text? obj) (string? obj)))

;;> (textual-null? textual)
;;> Is it empty?
(define (textual-null? textual) (= 0 (textual-length textual)))

;;> (textual-every f textual ...)
;;> Return F's last value if all are true, else #f.
(define textual-every (lift 'textual-every s:string-every #f))

;;> (textual-any f textual ...)
;;> Return F's first true value, or #f.
(define textual-any (lift 'textual-any s:string-any #f))

;; -- constructors ------------------------------------------------------------

;;> (make-text n char)
;;> Return the text of N times CHAR.
(define (make-text n char) (wrap (make-string n char)))

;;> (text char ...)
;;> Return the text of the characters. (textual->string (text #\a)) => "a"
(define (text . chars) (wrap (list->string chars)))

;;> (text-tabulate f n)
;;> Return the text of (f 0) ... (f (- n 1)).
(define (text-tabulate f n) (wrap (s:string-tabulate f n)))

;; A character or a textual as a string.
(define (piece->string piece)
  (if (char? piece) (string piece) (unwrap piece)))

;;> (text-unfold stop? mapper successor seed [base [make-final]])
;;> Return the text of the characters or textuals (mapper seed), from the first
;;> one on, until (stop? seed).
(define (text-unfold stop? mapper successor seed . rest)
  (wrap
   (apply s:string-unfold stop?
          (lambda (seed) (piece->string (mapper seed)))
          successor seed
          (if (pair? rest)
              (cons (piece->string (car rest))
                    (if (pair? (cdr rest))
                        (list (lambda (seed)
                                (piece->string ((cadr rest) seed))))
                        '()))
              '()))))

;;> (text-unfold-right stop? mapper successor seed [base [make-final]])
;;> Return the text of the characters or textuals (mapper seed), from the last
;;> one on, until (stop? seed).
(define (text-unfold-right stop? mapper successor seed . rest)
  (wrap
   (apply s:string-unfold-right stop?
          (lambda (seed) (piece->string (mapper seed)))
          successor seed
          (if (pair? rest)
              (cons (piece->string (car rest))
                    (if (pair? (cdr rest))
                        (list (lambda (seed)
                                (piece->string ((cadr rest) seed))))
                        '()))
              '()))))

;; -- conversion --------------------------------------------------------------

;;> (textual->text textual)
;;> Return the text of a textual.
(define (textual->text textual)
  (check 'textual->text textual)
  (if (text? textual) textual (wrap (string-copy textual))))

;;> (string->text string [start [end]])
;;> Return the text of a part of STRING.
(define (string->text string . range) (wrap (apply string-copy string range)))

;;> (textual->string textual [start [end]])
;;> Return a new string of a part.
(define (textual->string textual . range)
  (with-range 'textual->string textual range string-copy))

;;> (textual->vector textual [start [end]])
;;> Return the vector of the characters.
(define (textual->vector textual . range)
  (with-range 'textual->vector textual range string->vector))

;;> (textual->list textual [start [end]])
;;> Return the list of the characters.
(define (textual->list textual . range)
  (with-range 'textual->list textual range string->list))

;;> (vector->text vector [start [end]])
;;> Return the text of a vector of characters.
(define (vector->text vector . range)
  (wrap (apply vector->string vector range)))

;;> (list->text list [start [end]])
;;> Return the text of a list of characters.
(define (list->text list . range)
  (if (null? range)
      (wrap (list->string list))
      (apply vector->text (list->vector list) range)))

;;> (reverse-list->text list)
;;> Return the text of a list of characters in reverse.
(define (reverse-list->text list) (wrap (list->string (reverse list))))

;;> (textual->utf8 textual [start [end]])
;;> Return the UTF-8 bytes.
(define (textual->utf8 textual . range)
  (with-range 'textual->utf8 textual range string->utf8))

;;> (utf8->text bytevector [start [end]])
;;> Return the text of UTF-8 bytes.
(define (utf8->text bytes . range) (wrap (apply utf8->string bytes range)))

;; Write the 16 bits N.
(define (write-16 n big? out)
  (let ((high (quotient n 256)) (low (remainder n 256)))
    (write-u8 (if big? high low) out)
    (write-u8 (if big? low high) out)))

(define (encode-16 textual range big? mark?)
  (let ((out (open-output-bytevector)))
    (if mark? (write-16 #xFEFF big? out))
    (for-each
     (lambda (char)
       (let ((n (char->integer char)))
         (if (< n #x10000)
             (write-16 n big? out)
             (let ((n (- n #x10000)))
               (write-16 (+ #xD800 (quotient n 1024)) big? out)
               (write-16 (+ #xDC00 (remainder n 1024)) big? out)))))
     (apply textual->list textual range))
    (get-output-bytevector out)))

(define (read-16 bytes i big?)
  (let ((a (bytevector-u8-ref bytes i)) (b (bytevector-u8-ref bytes (+ i 1))))
    (if big? (+ (* 256 a) b) (+ a (* 256 b)))))

(define (decode-16 bytes start end big?)
  (let ((out (open-output-string)))
    (if (odd? (- end start)) (error "utf16->text: half a character" bytes))
    (let loop ((i start))
      (if (< i end)
          (let ((n (read-16 bytes i big?)))
            (cond ((not (<= #xD800 n #xDFFF))
                   (write-char (integer->char n) out)
                   (loop (+ i 2)))
                  ((and (< n #xDC00) (< (+ i 2) end)
                        (<= #xDC00 (read-16 bytes (+ i 2) big?) #xDFFF))
                   (write-char
                    (integer->char (+ #x10000 (* 1024 (- n #xD800))
                                      (- (read-16 bytes (+ i 2) big?) #xDC00)))
                    out)
                   (loop (+ i 4)))
                  (else (error "utf16->text: half a surrogate pair" bytes))))))
    (wrap (get-output-string out))))

;; Calls (f start end) for the optional arguments REST.
(define (with-bytes bytes rest f)
  (f (if (pair? rest) (car rest) 0)
     (if (and (pair? rest) (pair? (cdr rest)))
         (cadr rest)
         (bytevector-length bytes))))

;;> (textual->utf16 textual [start [end]])
;;> Return the UTF-16 bytes, the highest first, behind a byte order mark.
(define (textual->utf16 textual . range) (encode-16 textual range #t #t))

;;> (textual->utf16be textual [start [end]])
;;> Return the UTF-16 bytes, the highest first.
(define (textual->utf16be textual . range) (encode-16 textual range #t #f))

;;> (textual->utf16le textual [start [end]])
;;> Return the UTF-16 bytes, the lowest first.
(define (textual->utf16le textual . range) (encode-16 textual range #f #f))

;;> (utf16->text bytevector [start [end]])
;;> Return the text of UTF-16 bytes, in the order that a byte order mark says.
(define (utf16->text bytes . range)
  (with-bytes bytes range
    (lambda (start end)
      (let ((mark (if (< (+ start 1) end) (read-16 bytes start #t) 0)))
        (case mark
          ((#xFEFF) (decode-16 bytes (+ start 2) end #t))
          ((#xFFFE) (decode-16 bytes (+ start 2) end #f))
          (else (decode-16 bytes start end #t)))))))

;;> (utf16be->text bytevector [start [end]])
;;> Return the text of UTF-16 bytes in this order.
(define (utf16be->text bytes . range)
  (with-bytes bytes range
    (lambda (start end) (decode-16 bytes start end #t))))

;;> (utf16le->text bytevector [start [end]])
;;> Return the text of UTF-16 bytes in this order.
(define (utf16le->text bytes . range)
  (with-bytes bytes range
    (lambda (start end) (decode-16 bytes start end #f))))

;; -- selection ---------------------------------------------------------------

;;> (text-length text)
;;> Return the number of characters.
(define (text-length text) (- (text-end text) (text-start text)))

;;> (textual-length textual)
;;> Return the number of characters.
(define (textual-length textual)
  (check 'textual-length textual)
  (if (text? textual) (text-length textual) (string-length textual)))

;;> (text-ref text i)
;;> Return character I.
(define (text-ref text i)
  (if (not (and (exact-integer? i) (<= 0 i) (< i (text-length text))))
      (error "text-ref: index out of the text" i))
  (string-ref (text-string text) (+ i (text-start text))))

;;> (textual-ref textual i)
;;> Return character I.
(define (textual-ref textual i)
  (check 'textual-ref textual)
  (if (text? textual) (text-ref textual i) (string-ref textual i)))

;;> (subtext text start end)
;;> Return a part as a text, in constant time.
(define (subtext text start end)
  (with-range 'subtext text (list start end)
    (lambda (string start end)
      (if (text? text)
          (%make-text string start end)
          (wrap (substring string start end))))))

;;> (subtextual textual start end)
;;> Return a part as a text.
(define (subtextual textual start end) (subtext textual start end))

;;> (textual-copy textual [start [end]])
;;> Return a part as a text.
(define (textual-copy textual . range)
  (wrap (apply textual->string textual range)))

;;> (textual-take textual n)
;;> Return the first N characters.
(define (textual-take textual n) (subtext textual 0 n))

;;> (textual-drop textual n)
;;> Return what stands behind the first N characters.
(define (textual-drop textual n) (subtext textual n (textual-length textual)))

;;> (textual-take-right textual n)
;;> Return the last N characters.
(define (textual-take-right textual n)
  (let ((end (textual-length textual))) (subtext textual (- end n) end)))

;;> (textual-drop-right textual n)
;;> Return what stands in front of the last N characters.
(define (textual-drop-right textual n)
  (subtext textual 0 (- (textual-length textual) n)))

;;> (textual-pad textual n [char [start [end]]])
;;> Return the last N characters, with CHAR in front if there are fewer.
(define textual-pad (lift 'textual-pad s:string-pad #t))

;;> (textual-pad-right textual n [char [start [end]]])
;;> Return the first N characters, with CHAR behind if there are fewer.
(define textual-pad-right (lift 'textual-pad-right s:string-pad-right #t))

;;> (textual-trim textual [f [start [end]]])
;;> Leave out the characters in front that satisfy F, at first white space.
(define textual-trim (lift 'textual-trim s:string-trim #t))

;;> (textual-trim-right textual [f [start [end]]])
;;> Leave out the characters at the end that satisfy F.
(define textual-trim-right (lift 'textual-trim-right s:string-trim-right #t))

;;> (textual-trim-both textual [f [start [end]]])
;;> Leave out the characters at both ends that satisfy F.
(define textual-trim-both (lift 'textual-trim-both s:string-trim-both #t))

;; -- replacement, comparison -------------------------------------------------

;;> (textual-replace textual new start end [start2 [end2]])
;;> Return TEXTUAL with (a part of) NEW in the place of a part.
(define textual-replace (lift 'textual-replace s:string-replace #t))

;;> (textual=? textual ...)
;;> Are all the same?
(define textual=? (lift 'textual=? string=? #f))

;;> (textual<? textual ...)
;;> Do they increase?
(define textual<? (lift 'textual<? string<? #f))

;;> (textual>? textual ...)
;;> Do they decrease?
(define textual>? (lift 'textual>? string>? #f))

;;> (textual<=? textual ...)
;;> Does none exceed the next?
(define textual<=? (lift 'textual<=? string<=? #f))

;;> (textual>=? textual ...)
;;> Is none below the next?
(define textual>=? (lift 'textual>=? string>=? #f))

;;> (textual-ci=? textual ...)
;;> Are all the same but for case?
(define textual-ci=? (lift 'textual-ci=? string-ci=? #f))

;;> (textual-ci<? textual ...)
;;> Do they increase but for case?
(define textual-ci<? (lift 'textual-ci<? string-ci<? #f))

;;> (textual-ci>? textual ...)
;;> Do they decrease but for case?
(define textual-ci>? (lift 'textual-ci>? string-ci>? #f))

;;> (textual-ci<=? textual ...)
;;> Does none exceed the next but for case?
(define textual-ci<=? (lift 'textual-ci<=? string-ci<=? #f))

;;> (textual-ci>=? textual ...)
;;> Is none below the next but for case?
(define textual-ci>=? (lift 'textual-ci>=? string-ci>=? #f))

;;> (textual-prefix-length a b [start1 [end1 [start2 [end2]]]])
;;> How long is the beginning that both have?
(define textual-prefix-length
  (lift 'textual-prefix-length s:string-prefix-length #f))

;;> (textual-suffix-length a b [start1 [end1 [start2 [end2]]]])
;;> How long is the end that both have?
(define textual-suffix-length
  (lift 'textual-suffix-length s:string-suffix-length #f))

;;> (textual-prefix? a b [start1 [end1 [start2 [end2]]]])
;;> Does B begin with A?
(define textual-prefix? (lift 'textual-prefix? s:string-prefix? #f))

;;> (textual-suffix? a b [start1 [end1 [start2 [end2]]]])
;;> Does B end with A?
(define textual-suffix? (lift 'textual-suffix? s:string-suffix? #f))

;; -- searching ---------------------------------------------------------------

;;> (textual-index textual f [start [end]])
;;> Return the first index at which F is true, or #f.
(define textual-index (lift 'textual-index s:string-index #f))

;;> (textual-index-right textual f [start [end]])
;;> Return the last index at which F is true, or #f.
(define textual-index-right (lift 'textual-index-right s:string-index-right #f))

;;> (textual-skip textual f [start [end]])
;;> Return the first index at which F is false, or #f.
(define textual-skip (lift 'textual-skip s:string-skip #f))

;;> (textual-skip-right textual f [start [end]])
;;> Return the last index at which F is false, or #f.
(define textual-skip-right (lift 'textual-skip-right s:string-skip-right #f))

;;> (textual-contains a b [start1 [end1 [start2 [end2]]]])
;;> Return the first index at which B begins in A, or #f.
(define textual-contains (lift 'textual-contains s:string-contains #f))

;;> (textual-contains-right a b [start1 [end1 [start2 [end2]]]])
;;> Return the last index at which B begins in A, or #f.
(define textual-contains-right
  (lift 'textual-contains-right s:string-contains-right #f))

;; -- case, concatenation -----------------------------------------------------

;;> (textual-upcase textual)
;;> Return the text in upper case.
(define textual-upcase (lift 'textual-upcase string-upcase #t))

;;> (textual-downcase textual)
;;> Return the text in lower case.
(define textual-downcase (lift 'textual-downcase string-downcase #t))

;;> (textual-foldcase textual)
;;> Return the text after case folding.
(define textual-foldcase (lift 'textual-foldcase string-foldcase #t))

;;> (textual-titlecase textual)
;;> Return the text with each word in title case.
(define textual-titlecase (lift 'textual-titlecase string-titlecase #t))

;;> (textual-append textual ...)
;;> Return the text of all characters.
(define (textual-append . textuals) (textual-concatenate textuals))

;;> (textual-concatenate textuals)
;;> Return the text of all characters of a list of textuals.
(define (textual-concatenate textuals)
  (for-each (lambda (t) (check 'textual-concatenate t)) textuals)
  (wrap (apply string-append (map unwrap textuals))))

;;> (textual-concatenate-reverse textuals [final [end]])
;;> Return the text of the list in reverse, and of FINAL up to END.
(define (textual-concatenate-reverse textuals . rest)
  (textual-concatenate
   (append (reverse textuals)
           (cond ((null? rest) '())
                 ((null? (cdr rest)) (list (car rest)))
                 (else (list (subtext (car rest) 0 (cadr rest))))))))

;;> (textual-join textuals [delimiter [grammar]])
;;> Return the text of all, with DELIMITER, at first a space, between them.
(define (textual-join textuals . rest)
  (wrap (apply s:string-join (map unwrap textuals) (map unwrap rest))))

;; -- fold, map and friends ---------------------------------------------------

;;> (textual-fold kons knil textual [start [end]])
;;> Fold (kons char out) from the first character on.
(define (textual-fold kons knil textual . range)
  (with-range 'textual-fold textual range
    (lambda (string start end) (s:string-fold kons knil string start end))))

;;> (textual-fold-right kons knil textual [start [end]])
;;> Fold (kons char out) from the last character on.
(define (textual-fold-right kons knil textual . range)
  (with-range 'textual-fold-right textual range
    (lambda (string start end)
      (s:string-fold-right kons knil string start end))))

;;> (textual-map f textual ...)
;;> Return the text of F's values, characters or textuals.
(define (textual-map f . textuals)
  (wrap (apply string-append
               (apply map (lambda chars (piece->string (apply f chars)))
                      (map textual->list textuals)))))

;;> (textual-for-each f textual ...)
;;> Call F with the characters.
(define (textual-for-each f . textuals)
  (apply for-each f (map textual->list textuals)))

;; The list of the numbers from START up to END.
(define (indices start end)
  (let loop ((i (- end 1)) (out '()))
    (if (< i start) out (loop (- i 1) (cons i out)))))

;; Calls (f start end) with REST's range of TEXTUAL, as indices into it.
(define (with-indices textual rest f)
  (f (if (pair? rest) (car rest) 0)
     (if (and (pair? rest) (pair? (cdr rest)))
         (cadr rest)
         (textual-length textual))))

;;> (textual-map-index f textual [start [end]])
;;> Return the text of F's values of the indices.
(define (textual-map-index f textual . range)
  (with-indices textual range
    (lambda (start end)
      (wrap (apply string-append
                   (map (lambda (i) (piece->string (f i)))
                        (indices start end)))))))

;;> (textual-for-each-index f textual [start [end]])
;;> Call F with the indices.
(define (textual-for-each-index f textual . range)
  (with-indices textual range
    (lambda (start end) (for-each f (indices start end)))))

;;> (textual-count textual f [start [end]])
;;> Return how many characters satisfy F.
(define textual-count (lift 'textual-count s:string-count #f))

;;> (textual-filter f textual [start [end]])
;;> Return the text of the characters that satisfy F.
(define textual-filter (lift 'textual-filter s:string-filter #t))

;;> (textual-remove f textual [start [end]])
;;> Return the text of the characters that do not satisfy F.
(define textual-remove (lift 'textual-remove s:string-remove #t))

;; -- replication, splitting --------------------------------------------------

;;> (textual-replicate textual from to [start [end]])
;;> Return the characters from FROM to TO of TEXTUAL, repeated without an end.
(define textual-replicate (lift 'textual-replicate s:string-replicate #t))

;;> (textual-split textual delimiter [grammar [limit [start [end]]]])
;;> Return the list of the texts between the delimiters.
(define (textual-split textual . rest)
  (check 'textual-split textual)
  (map wrap (apply s:string-split (unwrap textual) (map unwrap rest))))
