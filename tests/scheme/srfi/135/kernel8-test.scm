;;; (srfi 135 kernel8).
(import (scheme base) (srfi 135 kernel8) (only (srfi 135) textual->string) (only (srfi 99) rtd?) (chibi-bridge test))

(define t (%string->text "abc"))

(test-begin "srfi 135 kernel8")

(test '(#t #f 3 3 #\b #\b) (list (text? t) (text? "a") (text-length t) (%text-length t) (text-ref t 1) (%text-ref t 1)))
(test '("bc" "012" "abab") (map textual->string
                           (list (subtext t 1 3) (text-tabulate (lambda (i) (integer->char (+ i 48))) 3)
                                 (textual-concatenate (list (%string->text "ab") "ab")))))
(test '(0 #("abc") "bc") (list (text.k t) (text.chunks t) (textual->string (%new-text 1 '#("ab" "c")))))
(test '(128 0 #t) (list N (text-length the-empty-text) (rtd? text-rtd)))
(test-error (complain 'text-ref 1 2))

(test-end)
(test-exit)
