;;; SRFI 55.
(import (scheme base) (srfi 55) (chibi-bridge test))

(test-begin "srfi 55")

(require-extension (srfi 1 13) (scheme write))

(test 1 (first '(1 2)))
(test "a" (string-take "abc" 1))
(test #t (procedure? write-shared))
(require-extension)

(test-end)
(test-exit)
