;;; (scheme char normalization).
(import (scheme base) (scheme char normalization) (chibi-bridge test))

(test-begin "char normalization")

(test '(#t #t #f #t) (list (string-ni=? "\xE4;" "a\x308;") (string-ni=? "a" "a" "a") (string-ni=? "a" "b") (string-ni=? "" "")))
;; several marks, in any order
(test '(#t #t #f) (list (string-ni=? "\x1ED9;" "o\x323;\x302;" "o\x302;\x323;" "\xF4;\x323;")
                        (string-ni=? "a\x308;\x323;" "a\x323;\x308;") (string-ni=? "a\x308;\x301;" "a\x301;\x308;")))
(test #t (string-ni=? "\xD55C;\xAE00;" "\x1112;\x1161;\x11AB;\x1100;\x1173;\x11AF;"))
(test #t (string-ni=? "\x212B;" "\xC5;" "A\x30A;"))
(test '(#f #t #t #f #t) (list (string-ni<? "\xE4;" "a\x308;") (string-ni<=? "\xE4;" "a\x308;") (string-ni<? "\xE4;" "b")
                              (string-ni>? "\xE4;" "b") (string-ni>=? "b" "\xE4;")))
(test-error (string-ni=? "a" 1))

(test-end)
(test-exit)
