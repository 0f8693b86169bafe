;;; SRFI 111.
(import (scheme base) (srfi 111)
        (chibi-bridge test))

(test-begin "srfi 111")

(define b (box 1))

(test #t (box? b))
(test #f (box? 1))
(test 1 (unbox b))
(set-box! b '(2))
(test '(2) (unbox b))
(test #f (eqv? (box 1) (box 1)))
(test-error (unbox 3))
(test-error (set-box! '() 3))

(test-end)
(test-exit)
