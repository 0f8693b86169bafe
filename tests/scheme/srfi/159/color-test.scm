;;; SRFI 159.
(import (scheme base) (srfi 159 base) (srfi 159 color) (chibi-bridge test))

(test-begin "srfi 159")

(test "\x1b;[31ma\x1b;[39m" (show #f (as-red "a")))
(for-each (lambda (as) (test #t (< 1 (string-length (show #f (as "a"))))))
          (list as-blue as-green as-cyan as-yellow as-magenta as-white as-black as-bold as-underline))

(test-end)
(test-exit)
