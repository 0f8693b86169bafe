;;; (chibi term ansi), the body.

;;> (ansi-escapes-enabled?)
;;> A parameter: whether the procedures here give escape sequences or nothing; at
;;> first they do. (red "x") => "\x1b;[31mx\x1b;[39m"
(define ansi-escapes-enabled? (make-parameter #t))

(define (escape . parts)
  (if (ansi-escapes-enabled?)
      (apply string-append "\x1b;[" (append parts '("m")))
      ""))

(define (wrapped text before after)
  (if (not (string? text)) (error "not a string" text))
  (string-append before text after))

(define (check-level level limit)
  (if (not (and (exact-integer? level) (<= 0 level limit)))
      (error "a colour level out of range" level limit)))

;; The number of a colour of 6 * 6 * 6, and of a grey of 24.
(define (rgb-number red green blue)
  (for-each (lambda (level) (check-level level 5)) (list red green blue))
  (number->string (+ 16 (* 36 red) (* 6 green) blue)))

(define (gray-number level)
  (check-level level 23)
  (number->string (+ 232 level)))

;;> (black-escape)
;;> Return the sequence that makes the text black.
(define (black-escape) (escape "30"))

;;> (red-escape)
;;> Return the sequence that makes the text red.
(define (red-escape) (escape "31"))

;;> (green-escape)
;;> Return the sequence that makes the text green.
(define (green-escape) (escape "32"))

;;> (yellow-escape)
;;> Return the sequence that makes the text yellow.
(define (yellow-escape) (escape "33"))

;;> (blue-escape)
;;> Return the sequence that makes the text blue.
(define (blue-escape) (escape "34"))

;;> (magenta-escape)
;;> Return the sequence that makes the text magenta.
(define (magenta-escape) (escape "35"))

;;> (cyan-escape)
;;> Return the sequence that makes the text cyan.
(define (cyan-escape) (escape "36"))

;;> (white-escape)
;;> Return the sequence that makes the text white.
(define (white-escape) (escape "37"))

;;> (rgb-escape red green blue)
;;> Return the sequence for a colour of the text; the levels are 0 to 5.
(define (rgb-escape red green blue)
  (escape "38;5;" (rgb-number red green blue)))

;;> (gray-escape level)
;;> Return the sequence for a grey of the text, level 0 to 23.
(define (gray-escape level) (escape "38;5;" (gray-number level)))

;;> (reset-color-escape)
;;> Return the sequence for the text as at first.
(define (reset-color-escape) (escape "39"))

;;> (black string)
;;> Return STRING in black.
(define (black text)
  (wrapped text (black-escape) (reset-color-escape)))

;;> (red string)
;;> Return STRING in red.
(define (red text)
  (wrapped text (red-escape) (reset-color-escape)))

;;> (green string)
;;> Return STRING in green.
(define (green text)
  (wrapped text (green-escape) (reset-color-escape)))

;;> (yellow string)
;;> Return STRING in yellow.
(define (yellow text)
  (wrapped text (yellow-escape) (reset-color-escape)))

;;> (blue string)
;;> Return STRING in blue.
(define (blue text)
  (wrapped text (blue-escape) (reset-color-escape)))

;;> (magenta string)
;;> Return STRING in magenta.
(define (magenta text)
  (wrapped text (magenta-escape) (reset-color-escape)))

;;> (cyan string)
;;> Return STRING in cyan.
(define (cyan text)
  (wrapped text (cyan-escape) (reset-color-escape)))

;;> (white string)
;;> Return STRING in white.
(define (white text)
  (wrapped text (white-escape) (reset-color-escape)))

;;> (rgb red green blue)
;;> Return a procedure that gives a string this colour of text.
(define (rgb red green blue)
  (lambda (text)
    (wrapped text (rgb-escape red green blue) (reset-color-escape))))

;;> (gray level)
;;> Return a procedure that gives a string this grey of text.
(define (gray level)
  (lambda (text)
    (wrapped text (gray-escape level) (reset-color-escape))))

;;> (black-background-escape)
;;> Return the sequence that makes the background black.
(define (black-background-escape) (escape "40"))

;;> (red-background-escape)
;;> Return the sequence that makes the background red.
(define (red-background-escape) (escape "41"))

;;> (green-background-escape)
;;> Return the sequence that makes the background green.
(define (green-background-escape) (escape "42"))

;;> (yellow-background-escape)
;;> Return the sequence that makes the background yellow.
(define (yellow-background-escape) (escape "43"))

;;> (blue-background-escape)
;;> Return the sequence that makes the background blue.
(define (blue-background-escape) (escape "44"))

;;> (magenta-background-escape)
;;> Return the sequence that makes the background magenta.
(define (magenta-background-escape) (escape "45"))

;;> (cyan-background-escape)
;;> Return the sequence that makes the background cyan.
(define (cyan-background-escape) (escape "46"))

;;> (white-background-escape)
;;> Return the sequence that makes the background white.
(define (white-background-escape) (escape "47"))

;;> (rgb-background-escape red green blue)
;;> Return the sequence for a colour of the background; the levels are 0 to 5.
(define (rgb-background-escape red green blue)
  (escape "48;5;" (rgb-number red green blue)))

;;> (gray-background-escape level)
;;> Return the sequence for a grey of the background, level 0 to 23.
(define (gray-background-escape level) (escape "48;5;" (gray-number level)))

;;> (reset-background-color-escape)
;;> Return the sequence for the background as at first.
(define (reset-background-color-escape) (escape "49"))

;;> (black-background string)
;;> Return STRING with a black background.
(define (black-background text)
  (wrapped text (black-background-escape) (reset-background-color-escape)))

;;> (red-background string)
;;> Return STRING with a red background.
(define (red-background text)
  (wrapped text (red-background-escape) (reset-background-color-escape)))

;;> (green-background string)
;;> Return STRING with a green background.
(define (green-background text)
  (wrapped text (green-background-escape) (reset-background-color-escape)))

;;> (yellow-background string)
;;> Return STRING with a yellow background.
(define (yellow-background text)
  (wrapped text (yellow-background-escape) (reset-background-color-escape)))

;;> (blue-background string)
;;> Return STRING with a blue background.
(define (blue-background text)
  (wrapped text (blue-background-escape) (reset-background-color-escape)))

;;> (magenta-background string)
;;> Return STRING with a magenta background.
(define (magenta-background text)
  (wrapped text (magenta-background-escape) (reset-background-color-escape)))

;;> (cyan-background string)
;;> Return STRING with a cyan background.
(define (cyan-background text)
  (wrapped text (cyan-background-escape) (reset-background-color-escape)))

;;> (white-background string)
;;> Return STRING with a white background.
(define (white-background text)
  (wrapped text (white-background-escape) (reset-background-color-escape)))

;;> (rgb-background red green blue)
;;> Return a procedure that gives a string this colour of background.
(define (rgb-background red green blue)
  (lambda (text)
    (wrapped text (rgb-background-escape red green blue) (reset-background-color-escape))))

;;> (gray-background level)
;;> Return a procedure that gives a string this grey of background.
(define (gray-background level)
  (lambda (text)
    (wrapped text (gray-background-escape level) (reset-background-color-escape))))

;;> (bold-escape)
;;> Return the sequence for bold.
(define (bold-escape) (escape "1"))

;;> (reset-bold-escape)
;;> Return the sequence that ends bold.
(define (reset-bold-escape) (escape "22"))

;;> (bold string)
;;> Return STRING as bold.
(define (bold text)
  (wrapped text (bold-escape) (reset-bold-escape)))

;;> (underline-escape)
;;> Return the sequence for underline.
(define (underline-escape) (escape "4"))

;;> (reset-underline-escape)
;;> Return the sequence that ends underline.
(define (reset-underline-escape) (escape "24"))

;;> (underline string)
;;> Return STRING as underline.
(define (underline text)
  (wrapped text (underline-escape) (reset-underline-escape)))

;;> (negative-escape)
;;> Return the sequence for negative.
(define (negative-escape) (escape "7"))

;;> (reset-negative-escape)
;;> Return the sequence that ends negative.
(define (reset-negative-escape) (escape "27"))

;;> (negative string)
;;> Return STRING as negative.
(define (negative text)
  (wrapped text (negative-escape) (reset-negative-escape)))
