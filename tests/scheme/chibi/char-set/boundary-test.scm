;;; (chibi char-set boundary).
(import (scheme base) (only (srfi 14) char-set-contains? char-set-size char-set?) (chibi char-set boundary)
        (chibi-bridge test))

(define (has set . chars) (map (lambda (c) (char-set-contains? set c)) chars))

(test-begin "char-set boundary")

(test '(#t #f 26) (append (has char-set:regional-indicator #\x1F1E9 #\a) (list (char-set-size char-set:regional-indicator))))
(test '(#t #t #t #t #f) (has char-set:extend-or-spacing-mark #\x301 #\x903 #\x200C #\x1F3FB #\a))
(test '(#t #f) (has char-set:hangul-l #\x1100 #\x1161))
(test '(#t #f) (has char-set:hangul-v #\x1161 #\x1100))
(test '(#t #f) (has char-set:hangul-t #\x11A8 #\x1161))
(test '(#t #f) (has char-set:hangul-lv #\xAC00 #\xAC01))
(test '(#f #t) (has char-set:hangul-lvt #\xAC00 #\xAC01))
(test '(399 10773 #t) (list (char-set-size char-set:hangul-lv) (char-set-size char-set:hangul-lvt) (char-set? char-set:hangul-l)))

(test-end)
(test-exit)
