;;; SRFI 6.
(import (scheme base) (srfi 6)
        (chibi-bridge test))

(test-begin "srfi 6")

(test #\a (read-char (open-input-string "abc")))
(test "xy" (let ((port (open-output-string)))
             (write-char #\x port)
             (write-string "y" port)
             (get-output-string port)))

(test-end)
(test-exit)
