;;; SRFI 62.
(import (scheme base) (srfi 62)
        (chibi-bridge test))

(test-begin "srfi 62")

(test '(1 3) '(1 #;2 3))
(test '(1 . 2) '(1 . #;x 2))
(test '(1) '(#;#;2 3 1))
(test 5 (+ 1 #;(* 2 #;9 3) 4))

(test-end)
(test-exit)
