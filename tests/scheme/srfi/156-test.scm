;;; SRFI 156.
(import (scheme base) (only (srfi 1) filter) (srfi 156) (chibi-bridge test))

(test-begin "srfi 156")

(test '(#t #f #t #f #t) (list (is 1 < 2) (is 2 < 1) (is 1 < 2 < 3) (is 1 < 3 < 2) (is 4 even?)))
(test '(#t #f #t) (list (isnt 2 < 1) (isnt 1 < 2 <= 2) (isnt '(1) null?)))
(test '(1 2) (filter (is _ < 3) '(1 2 3 4)))
(test '(#t #f) (list ((is _ < _) 1 2) ((isnt _ < 5 < _) 1 9)))
(test 1 (let ((n 0)) (is 0 < (begin (set! n (+ n 1)) n) < 5) n))
(test '(#t #f) (map (isnt _ even?) '(1 2)))

(test-end)
(test-exit)
