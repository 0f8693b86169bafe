;;; SRFI 8.
(import (scheme base) (srfi 8) (chibi-bridge test))

(test-begin "srfi 8")

(test '(2 3) (receive (q . rest) (values 1 2 3) rest))
(test '(1 2) (receive all (values 1 2) all))
(test 3 (receive (a b) (values 1 2) (define c (+ a b)) c))
(test 'none (receive () (values) 'none))
(test-error (receive (a) (values 1 2) a))

(test-end)
(test-exit)
