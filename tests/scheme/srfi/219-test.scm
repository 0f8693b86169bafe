;;; SRFI 219.
(import (except (scheme base) define) (srfi 219) (chibi-bridge test))

(define x 1)
(define (inc n) (+ n 1))
(define ((adder n) m) (+ n m))
(define (((three a) b . c) . d) (list a b c d))
(define (local)
  (define ((f a) b) (- a b))
  ((f 5) 3))

(test-begin "srfi 219")

(test '(1 2 3) (list x (inc 1) ((adder 1) 2)))
(test '(1 2 (3) (4 5)) (((three 1) 2 3) 4 5))
(test 2 (local))

(test-end)
(test-exit)
