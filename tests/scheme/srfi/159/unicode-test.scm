;;; SRFI 159.
(import (scheme base) (srfi 159 base) (srfi 159 unicode) (chibi-bridge test))

(test-begin "srfi 159")

(test "a" (show #f (as-unicode "a")))
(test '(2 1) (list (unicode-terminal-width "日") (unicode-terminal-width "a")))

(test-end)
(test-exit)
