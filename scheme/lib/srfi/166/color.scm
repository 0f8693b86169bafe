;;; SRFI 166, colours: sequences of a terminal that take no columns.

;; What is in force inside, so that it comes back where something in it ends.
(define text-face (make-state-variable 'text-face "39"))
(define back-face (make-state-variable 'back-face "49"))

;; Write straight to the port: row and col do not change.
(define (escape code)
  (fn (port)
    (write-string (string-append "\x1b;[" code "m") port)
    nothing))

(define (in-face code formats)
  (fn ((outer text-face))
    (with ((text-face code))
      (escape code)
      (each-in-list formats)
      (escape outer))))

(define (on-face code formats)
  (fn ((outer back-face))
    (with ((back-face code))
      (escape code)
      (each-in-list formats)
      (escape outer))))

(define (between on off formats)
  (each (escape on) (each-in-list formats) (escape off)))

(define (check-levels limit levels)
  (for-each (lambda (level)
              (if (not (and (exact-integer? level) (<= 0 level limit)))
                  (error "a colour level out of range" level limit)))
            levels))

(define (color-code prefix red green blue)
  (check-levels 5 (list red green blue))
  (string-append prefix "8;5;"
                 (number->string (+ 16 (* 36 red) (* 6 green) blue))))

(define (true-color-code prefix red green blue)
  (check-levels 255 (list red green blue))
  (string-append prefix "8;2;" (number->string red) ";"
                 (number->string green) ";" (number->string blue)))

;;> (as-black format ...)
;;> The formatter in black.
(define (as-black . formats) (in-face "30" formats))

;;> (as-red format ...)
;;> The formatter in red.
(define (as-red . formats) (in-face "31" formats))

;;> (as-green format ...)
;;> The formatter in green.
(define (as-green . formats) (in-face "32" formats))

;;> (as-yellow format ...)
;;> The formatter in yellow.
(define (as-yellow . formats) (in-face "33" formats))

;;> (as-blue format ...)
;;> The formatter in blue.
(define (as-blue . formats) (in-face "34" formats))

;;> (as-magenta format ...)
;;> The formatter in magenta.
(define (as-magenta . formats) (in-face "35" formats))

;;> (as-cyan format ...)
;;> The formatter in cyan.
(define (as-cyan . formats) (in-face "36" formats))

;;> (as-white format ...)
;;> The formatter in white.
(define (as-white . formats) (in-face "37" formats))

;;> (on-black format ...)
;;> The formatter on a black background.
(define (on-black . formats) (on-face "40" formats))

;;> (on-red format ...)
;;> The formatter on a red background.
(define (on-red . formats) (on-face "41" formats))

;;> (on-green format ...)
;;> The formatter on a green background.
(define (on-green . formats) (on-face "42" formats))

;;> (on-yellow format ...)
;;> The formatter on a yellow background.
(define (on-yellow . formats) (on-face "43" formats))

;;> (on-blue format ...)
;;> The formatter on a blue background.
(define (on-blue . formats) (on-face "44" formats))

;;> (on-magenta format ...)
;;> The formatter on a magenta background.
(define (on-magenta . formats) (on-face "45" formats))

;;> (on-cyan format ...)
;;> The formatter on a cyan background.
(define (on-cyan . formats) (on-face "46" formats))

;;> (on-white format ...)
;;> The formatter on a white background.
(define (on-white . formats) (on-face "47" formats))

;;> (as-bold format ...)
;;> The formatter in bold.
(define (as-bold . formats) (between "1" "22" formats))

;;> (as-underline format ...)
;;> The formatter underlined.
(define (as-underline . formats) (between "4" "24" formats))

;;> (as-color red green blue format ...)
;;> The formatter in a colour; the levels are 0 to 5.
(define (as-color red green blue . formats)
  (in-face (color-code "3" red green blue) formats))

;;> (as-true-color red green blue format ...)
;;> The formatter in a colour; the levels are 0 to 255.
(define (as-true-color red green blue . formats)
  (in-face (true-color-code "3" red green blue) formats))

;;> (on-color red green blue format ...)
;;> The formatter on a background; the levels are 0 to 5.
(define (on-color red green blue . formats)
  (on-face (color-code "4" red green blue) formats))

;;> (on-true-color red green blue format ...)
;;> The formatter on a background; the levels are 0 to 255.
(define (on-true-color red green blue . formats)
  (on-face (true-color-code "4" red green blue) formats))
