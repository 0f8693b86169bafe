;;; (tein file): what (scheme file) has, in a sandbox.
(import (scheme base) (tein file) (chibi-bridge test))

(test-begin "file")

(for-each
 (lambda (use) (test-error (use "/etc/passwd")))
 (list open-input-file open-output-file open-binary-input-file
       open-binary-output-file file-exists? delete-file))
(test-error (call-with-input-file "/etc/passwd" read-char))
(test-error (call-with-output-file "/etc/passwd" newline))
(test-error (with-input-from-file "/etc/passwd" read-char))
(test-error (with-output-to-file "/etc/passwd" newline))
(test-error (file-exists? 42))

(test-end)
(test-exit)
