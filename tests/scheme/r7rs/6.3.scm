;;; R7RS 6.3 Booleans.
(import (scheme base) (chibi-bridge test))

(test-begin "6.3 Booleans")

(test #f (not 3))
(test #f (not (list 3)))
(test #t (not #f))
(test #f (not '()))
(test #t (boolean? #f))
(test #f (boolean? 0))
(test #f (boolean? '()))
(test #t (boolean=? #t #t))
(test #t (boolean=? #f #f #f))
(test #f (boolean=? #t #f))
(test-error (boolean=? 1 1))
(test #t #true)
(test #f #false)

(test-end)
(test-exit)
