;;; SRFI 28.
(import (scheme base) (srfi 28)
        (chibi-bridge test))

(test-begin "srfi 28")

(test "Hello, World!" (format "Hello, ~a" "World!"))
(test "Error, list is too short: (one \"two\" 3)\n"
      (format "Error, list is too short: ~s~%" '(one "two" 3)))
(test "a~b" (format "a~~b"))
(test "" (format ""))
(test-error (format "~a"))
(test-error (format "~a" 1 2))
(test-error (format "~q" 1))
(test-error (format "~"))

(test-end)
(test-exit)
