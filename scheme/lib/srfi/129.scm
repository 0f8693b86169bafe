;;; SRFI 129, the body. Case mapping of Unicode's is upper case in most places;
;;; what is different in title case is written down here.

;; The first and last characters of the ranges of category Lt.
(define title-case-ranges
  '((#x1c5 . #x1c5) (#x1c8 . #x1c8) (#x1cb . #x1cb) (#x1f2 . #x1f2)
    (#x1f88 . #x1f8f) (#x1f98 . #x1f9f) (#x1fa8 . #x1faf) (#x1fbc . #x1fbc)
    (#x1fcc . #x1fcc) (#x1ffc . #x1ffc)))

;;> (char-title-case? char)
;;> Is CHAR of the general category Lt? (char-title-case? #\x1c5) => #t
(define (char-title-case? char)
  (let ((code (char->integer char)))
    (let loop ((rest title-case-ranges))
      (and (pair? rest)
           (or (<= (caar rest) code (cdar rest))
               (loop (cdr rest)))))))

;; Letters of Georgian are upper case only in a text that is so throughout.
(define (georgian? code)
  (and (<= #x10d0 code #x10ff) (not (<= #x10fb code #x10fc))))

;; The digraphs come in threes: upper, title, lower.
(define (digraph? code)
  (or (<= #x1c4 code #x1cc) (<= #x1f1 code #x1f3)))

(define (digraph-title code)
  (if (>= code #x1f1)
      #x1f2
      (+ #x1c5 (* 3 (quotient (- code #x1c4) 3)))))

;;> (char-titlecase char)
;;> Return the title case of CHAR. (char-titlecase #\a) => #\A
(define (char-titlecase char)
  (let ((code (char->integer char)))
    (cond ((digraph? code) (integer->char (digraph-title code)))
          ((or (georgian? code) (char-title-case? char)) char)
          (else (char-upcase char)))))

;; The title case of a character that has more than one in upper case: the first
;; of them, the rest in lower case but for a subscript iota.
(define (long-titlecase char)
  (let ((upper (string-upcase (string char))))
    (if (or (= (string-length upper) 1) (char=? char #\x149))
        upper
        (string-append
         (substring upper 0 1)
         (string-map (lambda (char)
                       (if (char=? char #\x399) #\x345 (char-downcase char)))
                     (substring upper 1 (string-length upper)))))))

(define (char-title-string char)
  (let ((title (char-titlecase char)))
    (if (and (char=? title char) (not (char-title-case? char)))
        (if (georgian? (char->integer char))
            (string char)
            (long-titlecase char))
        (string title))))

(define (cased? char)
  (or (char-upper-case? char)
      (char-lower-case? char)
      (char-title-case? char)
      (not (string=? (string-upcase (string char)) (string char)))))

;; Does the character at i belong to the word that it follows? An apostrophe
;; between letters does.
(define (inside-word? string i n)
  (let ((char (string-ref string i)))
    (or (char-alphabetic? char)
        (char-numeric? char)
        (and (memv char '(#\' #\x2019))
             (< (+ i 1) n)
             (char-alphabetic? (string-ref string (+ i 1)))))))

;; The end of the word that begins at i.
(define (word-end string i n)
  (let loop ((i i))
    (if (and (< i n) (inside-word? string i n)) (loop (+ i 1)) i)))

;; The first cased character from i, before end, or end.
(define (first-cased string i end)
  (cond ((= i end) end)
        ((cased? (string-ref string i)) i)
        (else (first-cased string (+ i 1) end))))

(define (title-word string start end)
  (let ((i (first-cased string start end)))
    (if (= i end)
        (substring string start end)
        (string-append (substring string start i)
                       (char-title-string (string-ref string i))
                       (string-downcase (substring string (+ i 1) end))))))

;;> (string-titlecase string)
;;> Return STRING with the first cased character of each word in title case and
;;> the rest in lower case. (string-titlecase "don't GO") => "Don't Go"
(define (string-titlecase string)
  (let ((n (string-length string)))
    (let loop ((i 0) (out '()))
      (if (= i n)
          (apply string-append (reverse out))
          (let ((end (word-end string i n)))
            (if (= end i)
                (loop (+ i 1) (cons (substring string i (+ i 1)) out))
                (loop end (cons (title-word string i end) out))))))))
