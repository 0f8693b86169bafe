;;; SRFI 193. What the host gives as command line differs; the parts must agree.
(import (scheme base) (scheme process-context) (srfi 193) (chibi-bridge test))

(test-begin "srfi 193")

(test #t (list? (command-line)))
(test (if (pair? (command-line)) (cdr (command-line)) '()) (command-args))
(test #t (or (not (command-name)) (string? (command-name))))
(test #t (if (script-file)
             (string=? (script-file) (car (command-line)))
             (not (script-directory))))

(test-end)
(test-exit)
