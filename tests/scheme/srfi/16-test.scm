;;; SRFI 16.
(import (scheme base) (srfi 16)
        (chibi-bridge test))

(test-begin "srfi 16")

(define plus
  (case-lambda
    (() 0)
    ((x) x)
    ((x y) (+ x y))
    ((x y . rest) (apply plus (+ x y) rest))))

(test 0 (plus))
(test 1 (plus 1))
(test 3 (plus 1 2))
(test 10 (plus 1 2 3 4))
(test-error ((case-lambda ((a) a) ((a b) b)) 1 2 3))

(test-end)
(test-exit)
