;;; (srfi 99 records syntactic).
(import (except (scheme base) define-record-type) (srfi 99 records syntactic)
        (chibi-bridge test))

(test-begin "srfi 99 records syntactic")

(define-record-type pare #t #t kar)

(test '(1 #t) (let ((p (make-pare 1))) (list (pare-kar p) (pare? p))))

(test-end)
(test-exit)
