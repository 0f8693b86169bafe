;;; SRFI 98.
(import (scheme base) (srfi 98)
        (chibi-bridge test))

(test-begin "srfi 98")

(test #f (get-environment-variable "NO_SUCH_VARIABLE"))
(test-assert (list? (get-environment-variables)))
(test #t (let ((all (get-environment-variables)))
           (or (null? all)
               (equal? (cdar all) (get-environment-variable (caar all))))))
(test-error (get-environment-variable 'HOME))

(test-end)
(test-exit)
