;;; (chibi text base), the body. Only a text's own piece of a chain is changed; what is
;;; asked of the whole chain says so. Bytes behind the end are room to grow, so that
;;; inserting at one place again and again takes constant time but for moving what follows.

;; -- conversion -----------------------------------------------------------------

;;> (make-text bytes start end ...), (text? object)
;;> As in (chibi text types).

;;> (string->text string)
;;> Return a text of these characters. (text->string (string->text "ab")) => "ab"
(define (string->text string)
  (let ((bytes (string->utf8 string)))
    (make-text bytes 0 (bytevector-length bytes))))

(define (pieces text)
  (let loop ((text (text-first text)) (found '()))
    (if text (loop (text-next text) (cons text found)) (reverse found))))

(define (piece-bytes text)
  (bytevector-copy (text-bytes text) (text-start text) (text-end text)))

;;> (text->utf8 text), (text->string text)
;;> Return the bytes, or the string, of the whole chain of TEXT.
;;> (text->utf8 (string->text "a")) => #u8(97)
(define (text->utf8 text) (apply bytevector-append (map piece-bytes (pieces text))))
(define (text->string text) (utf8->string (text->utf8 text)))

;;> (text-piece-length text), (text-utf8-length text), (text-char-length text)
;;> Return the number of bytes of TEXT alone, that of its chain, and that of the characters
;;> of its chain. (text-char-length (string->text "ä")) => 1
(define (text-piece-length text) (- (text-end text) (text-start text)))
(define (text-utf8-length text) (apply + (map text-piece-length (pieces text))))
(define (text-char-length text)
  (apply + (map (lambda (piece)
                  (characters (text-bytes piece) (text-start piece)
                              (text-end piece)))
                (pieces text))))

(define (characters bytes start end)
  (let loop ((i start) (n 0))
    (let ((next (utf8-next bytes i end)))
      (if next (loop next (+ n 1)) n))))

;;> (text-empty? text)
;;> Has the chain no characters? (text-empty? (string->text "")) => #t
(define (text-empty? text) (= 0 (text-utf8-length text)))

;;> (text-copy text), (text-concatenate texts), (text-append text ...), and with !
;;> Return a new text of the same characters; of those of all TEXTs. With ! the texts may
;;> be made use of. (text->string (text-append (string->text "a") (string->text "b"))) => "ab"
(define (text-copy text)
  (let ((bytes (text->utf8 text)))
    (make-text bytes 0 (bytevector-length bytes))))
(define (text-concatenate texts)
  (let ((bytes (apply bytevector-append (map text->utf8 texts))))
    (make-text bytes 0 (bytevector-length bytes))))
(define (text-append . texts) (text-concatenate texts))
(define (text-concatenate! texts) (text-concatenate texts))
(define (text-append! . texts) (text-concatenate texts))

;; -- marks ---------------------------------------------------------------------------

;; The offset of character I.
(define (offset-of text i)
  (let ((bytes (text-bytes text)) (end (text-end text)))
    (let loop ((offset (text-start text)) (left i))
      (cond ((= left 0) offset)
            ((utf8-next bytes offset end)
             => (lambda (next) (loop next (- left 1))))
            (else (error "the text has no character with this index" i))))))

;;> (text-mark text i [data]), (text-mark! text i [data])
;;> Return a mark at character I of TEXT; with ! it moves with its character when the text
;;> changes. (mark-offset (text-mark (string->text "äb") 1)) => 2
(define (text-mark text i . data)
  (make-mark text (if (mark? i) (mark-offset i) (offset-of text i))
             (and (pair? data) (car data))))
(define (text-mark! text i . data)
  (mark-anchor! (apply text-mark text i data)))

;;> (mark-text mark), (mark-offset mark)
;;> The text that MARK is in, and the offset of its byte.

;;> (mark-anchor! mark), (mark-release! mark), (mark-copy mark)
;;> Let MARK move with its character, or not any more; return it. Return a new mark at the
;;> same place. (mark? (mark-copy (text-mark (string->text "a") 0))) => #t
(define (mark-anchor! mark)
  (let ((text (mark-text mark)))
    (if (not (memq mark (text-marks text)))
        (text-marks-set! text (mark-insert mark (text-marks text))))
    mark))

;; Marks of a text stand in the order of their places.
(define (mark-insert mark marks)
  (if (or (null? marks) (< (mark-offset mark) (mark-offset (car marks))))
      (cons mark marks)
      (cons (car marks) (mark-insert mark (cdr marks)))))
(define (mark-release! mark)
  (let ((text (mark-text mark)))
    (text-marks-set! text
                     (let loop ((marks (text-marks text)))
                       (cond ((null? marks) '())
                             ((eq? mark (car marks)) (cdr marks))
                             (else (cons (car marks) (loop (cdr marks)))))))
    mark))
(define (mark-copy mark)
  (make-mark (mark-text mark) (mark-offset mark) (mark-data mark)))

(define (offset-at text place)
  (if (mark? place) (mark-offset place) (offset-of text place)))

;;> (text-ref mark), (text-ref text i)
;;> Return the character there, or #f at the end. (text-ref (string->text "ab") 1) => #\b
(define (text-ref place . i)
  (let ((text (if (mark? place) (mark-text place) place))
        (offset (if (mark? place)
                    (mark-offset place)
                    (offset-of place (if (pair? i) (car i) 0)))))
    (and (< offset (text-end text)) (utf8-ref (text-bytes text) offset))))

;; -- changes ----------------------------------------------------------------------------

;; Room for N bytes more behind the end.
(define (reserve! text n)
  (let ((wanted (+ (text-end text) n)) (bytes (text-bytes text)))
    (if (< (bytevector-length bytes) wanted)
        (let ((more (make-bytevector (+ wanted (quotient wanted 2)) 0)))
          (bytevector-copy! more 0 bytes 0 (text-end text))
          (text-bytes-set! text more)))))

;; Each of MARKS from OFFSET on moves to (MOVE its-offset).
(define (move-marks! marks offset move)
  (for-each (lambda (mark)
              (if (>= (mark-offset mark) offset)
                  (mark-offset-set! mark (move (mark-offset mark)))))
            marks))

;; N bytes that are put in at OFFSET move the marks behind. Of those at OFFSET
;; itself the ones that stand before PLACE in order stay.
(define (make-way! text place offset n)
  (let loop ((marks (text-marks text)))
    (cond ((and (pair? marks) (memq place marks) (not (eq? place (car marks))))
           (move-marks! (list (car marks)) (+ offset 1) (lambda (at) (+ at n)))
           (loop (cdr marks)))
          (else (move-marks! marks offset (lambda (at) (+ at n)))))))

;;> (text-insert! text object place)
;;> Put OBJECT, a string, character or text, into TEXT at PLACE, a mark or the index of a
;;> character. PLACE itself and what is behind stay at their characters.
;;> (let ((t (string->text "ab"))) (text-insert! t "x" 1) (text->string t)) => "axb"
(define (text-insert! text object place)
  (let* ((new (cond ((text? object) (text->utf8 object))
                    ((char? object) (string->utf8 (string object)))
                    (else (string->utf8 object))))
         (n (bytevector-length new))
         (offset (offset-at text place)))
    (reserve! text n)
    (let ((bytes (text-bytes text)))
      (bytevector-copy! bytes (+ offset n) bytes offset (text-end text))
      (bytevector-copy! bytes offset new))
    (text-end-set! text (+ (text-end text) n))
    (if (and (mark? place) (not (memq place (text-marks text))))
        (mark-offset-set! place (+ offset n)))
    (make-way! text place offset n)))

;;> (text-delete! text from to)
;;> Leave out the characters from FROM to TO, marks or indexes.
;;> (let ((t (string->text "abcd"))) (text-delete! t 1 3) (text->string t)) => "ad"
(define (text-delete! text from to)
  (let* ((start (offset-at text from)) (end (offset-at text to)) (n (- end start)))
    (if (< n 0) (error "text-delete!: the end is before the start" from to))
    (bytevector-copy! (text-bytes text) start (text-bytes text) end (text-end text))
    (text-end-set! text (- (text-end text) n))
    (move-marks! (text-marks text) start (lambda (at) (max start (- at n))))))

;; -- moving ---------------------------------------------------------------------------

;;> (text-forward-char! mark), (text-backward-char! mark)
;;> Move MARK by one character; return that character, or #f where there was none.
;;> (text-forward-char! (text-mark (string->text "ab") 0)) => #\a
(define (text-forward-char! mark)
  (let* ((text (mark-text mark)) (offset (mark-offset mark))
         (next (utf8-next (text-bytes text) offset (text-end text))))
    (and next
         (begin
           (mark-offset-set! mark next)
           (utf8-ref (text-bytes text) offset)))))
(define (text-backward-char! mark)
  (let* ((text (mark-text mark))
         (before (utf8-prev (text-bytes text) (mark-offset mark)
                            (text-start text))))
    (and before
         (begin
           (mark-offset-set! mark before)
           (utf8-ref (text-bytes text) before)))))

(define (char-before mark)
  (let* ((text (mark-text mark))
         (before (utf8-prev (text-bytes text) (mark-offset mark)
                            (text-start text))))
    (and before (utf8-ref (text-bytes text) before))))

(define (word-char? char)
  (or (char-alphabetic? char) (char-numeric? char)))

;; Move with STEP! while PEEK gives a character that passes.
(define (move-while! mark peek step! test)
  (let ((char (peek mark)))
    (when (and char (test char))
      (step! mark)
      (move-while! mark peek step! test))))

(define (move-word! mark peek step!)
  (let ((start (mark-offset mark)))
    (move-while! mark peek step! (lambda (char) (not (word-char? char))))
    (cond ((peek mark)
           (move-while! mark peek step! word-char?)
           mark)
          (else
           (mark-offset-set! mark start)
           #f))))

;;> (text-forward-word! mark), (text-backward-word! mark)
;;> Move MARK behind the next, or to the beginning of the last word; return it, or #f, in
;;> its old place, where there is none.
(define (text-forward-word! mark) (move-word! mark text-ref text-forward-char!))
(define (text-backward-word! mark)
  (move-word! mark char-before text-backward-char!))

;;> (text-beginning-of-line? mark), (text-end-of-line? mark)
;;> Is MARK there? (text-end-of-line? (text-mark (string->text "a\nb") 1)) => #t
(define (text-beginning-of-line? mark) (if (memv (char-before mark) '(#f #\newline)) #t #f))
(define (text-end-of-line? mark) (if (memv (text-ref mark) '(#f #\newline)) #t #f))

(define (not-newline? char) (not (char=? char #\newline)))

;;> (text-beginning-of-line! mark), (text-end-of-line! mark)
;;> Move MARK there; return it.
(define (text-beginning-of-line! mark)
  (move-while! mark char-before text-backward-char! not-newline?)
  mark)
(define (text-end-of-line! mark)
  (move-while! mark text-ref text-forward-char! not-newline?)
  mark)

;;> (text-current-column mark)
;;> Return how many characters of the line are before MARK.
;;> (text-current-column (text-mark (string->text "a\nbcd") 4)) => 2
(define (text-current-column mark)
  (let ((start (text-beginning-of-line! (mark-copy mark))))
    (characters (text-bytes (mark-text mark)) (mark-offset start)
                (mark-offset mark))))

(define (forward-columns! mark n)
  (when (and (> n 0) (not (text-end-of-line? mark)))
    (text-forward-char! mark)
    (forward-columns! mark (- n 1))))

;;> (text-forward-line! mark), (text-backward-line! mark)
;;> Move MARK to the same column of the next, or the last line, or to that line's end;
;;> return it, or #f where there is no such line.
(define (text-forward-line! mark)
  (let ((column (text-current-column mark)) (end (text-end-of-line! (mark-copy mark))))
    (and (text-forward-char! end)
         (begin
           (forward-columns! end column)
           (mark-offset-set! mark (mark-offset end))
           mark))))
(define (text-backward-line! mark)
  (let ((column (text-current-column mark))
        (start (text-beginning-of-line! (mark-copy mark))))
    (and (text-backward-char! start)
         (begin
           (text-beginning-of-line! start)
           (forward-columns! start column)
           (mark-offset-set! mark (mark-offset start))
           mark))))
