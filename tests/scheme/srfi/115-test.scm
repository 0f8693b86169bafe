;;; SRFI 115: its names; what they do is tested with (chibi regexp).
(import (scheme base) (srfi 14) (srfi 115) (chibi-bridge test))

(define m (regexp-search '(: ($ "a") (-> x "b")) "xxab"))

(test-begin "srfi 115")

(test '(#t #t #f) (list (regexp? (regexp "a")) (valid-sre? '(* "a")) (valid-sre? 'nope)))
(test '((: "a") ("a")) (list (regexp->sre (rx "a")) (char-set->sre (char-set #\a))))
(test '(#t #t #f) (list (regexp-match? (regexp-matches "a" "a")) (regexp-matches? "a" "a")
                        (regexp-search "b" "a")))
(test '(2 "b" 3 4 ("ab" "a" "b"))
      (list (regexp-match-count m) (regexp-match-submatch m 'x)
            (regexp-match-submatch-start m 2) (regexp-match-submatch-end m 2)
            (regexp-match->list m)))
(test '(2 ("1" "2") ("a" "b") ("a" "1" "b") "aX2" "aXX")
      (list (regexp-fold 'num (lambda (i m s n) (+ n 1)) 0 "1a2")
            (regexp-extract 'num "1a2") (regexp-split 'num "a1b") (regexp-partition 'num "a1b")
            (regexp-replace 'num "a12" "X") (regexp-replace-all 'num "a12" "X")))

(test-end)
(test-exit)
