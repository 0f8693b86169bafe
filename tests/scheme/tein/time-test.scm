;;; (tein time).
(import (scheme base) (tein time) (chibi-bridge test))

(test-begin "time")

(test #t (let ((s (current-second))) (and (inexact? s) (> s 1735689600))))
(test #t (let* ((a (current-jiffy)) (b (current-jiffy)))
           (and (exact-integer? a) (<= 0 a b))))
(test 1000000000 jiffies-per-second)
(test #t (let ((s (timezone-offset-seconds)))
           (and (exact-integer? s) (<= -50400 s 50400))))

(test-end)
(test-exit)
