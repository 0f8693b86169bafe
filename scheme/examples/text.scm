;;; Tools for text: counting words, making slugs, wrapping lines.

(define (split-words text)
  (let loop ((chars (string->list text)) (word '()) (words '()))
    (define (words-with-this)
      (if (null? word)
          words
          (cons (list->string (reverse word)) words)))
    (cond ((null? chars) (reverse (words-with-this)))
          ((char-whitespace? (car chars))
           (loop (cdr chars) '() (words-with-this)))
          (else (loop (cdr chars) (cons (car chars) word) words)))))

(define (argument args name default)
  (let ((found (assoc name args)))
    (if found (cdr found) default)))

(define-tool word_count
  (description "Count the words, characters and lines of a text.")
  (category "memory")
  (summary-params '("text"))
  (parameters
   '((text . ((type . "string")
              (description . "The text to count")))))
  (execute
   (lambda (args)
     (let* ((text (argument args "text" ""))
            (lines (if (string=? text "")
                       0
                       (let loop ((i 0) (n 1))
                         (cond ((= i (string-length text)) n)
                               ((and (char=? (string-ref text i) #\newline)
                                     (< (+ i 1) (string-length text)))
                                (loop (+ i 1) (+ n 1)))
                               (else (loop (+ i 1) n)))))))
       (string-append
        (number->string (length (split-words text))) " words, "
        (number->string (string-length text)) " characters, "
        (number->string lines) " lines")))))

;; Letters and digits in lower case, every run of others as one hyphen.
(define (slug text)
  (let loop ((chars (string->list (string-downcase text)))
             (gap? #f)
             (done '()))
    (cond ((null? chars) (list->string (reverse done)))
          ((or (char-alphabetic? (car chars)) (char-numeric? (car chars)))
           (loop (cdr chars)
                 #f
                 (if (and gap? (pair? done))
                     (cons (car chars) (cons #\- done))
                     (cons (car chars) done))))
          (else (loop (cdr chars) #t done)))))

(define (cut-slug text most)
  (if (<= (string-length text) most)
      text
      (let loop ((end most))
        (cond ((= end 0) (substring text 0 most))
              ((char=? (string-ref text end) #\-) (substring text 0 end))
              (else (loop (- end 1)))))))

(define-tool slugify
  (description "Turn a title into a slug for a URL or a file name.")
  (category "memory")
  (summary-params '("title"))
  (parameters
   '((title . ((type . "string") (description . "The title")))
     (max_length . ((type . "integer")
                    (description . "Cut at a hyphen below this length")
                    (minimum . 1)
                    (default . 80)))))
  (execute
   (lambda (args)
     (cut-slug (slug (argument args "title" ""))
               (argument args "max_length" 80)))))

(define (wrap words width)
  (let loop ((words words) (line "") (lines '()))
    (cond ((null? words)
           (reverse (if (string=? line "") lines (cons line lines))))
          ((string=? line "") (loop (cdr words) (car words) lines))
          ((<= (+ (string-length line) 1 (string-length (car words))) width)
           (loop (cdr words)
                 (string-append line " " (car words))
                 lines))
          (else (loop words "" (cons line lines))))))

(define (join-lines lines)
  (if (null? lines)
      ""
      (let loop ((lines (cdr lines)) (text (list (car lines))))
        (if (null? lines)
            (apply string-append (reverse text))
            (loop (cdr lines) (cons (car lines) (cons "\n" text)))))))

(define-tool wrap_text
  (description "Break a text into lines of at most so many characters.")
  (category "memory")
  (summary-params '("width"))
  (parameters
   '((text . ((type . "string") (description . "The text to wrap")))
     (width . ((type . "integer")
               (description . "Characters in a line")
               (minimum . 1)
               (maximum . 1000)
               (default . 72)))))
  (execute
   (lambda (args)
     (join-lines
      (wrap (split-words (argument args "text" ""))
            (argument args "width" 72))))))
