;;; SRFI 87.
(import (scheme base) (srfi 87)
        (chibi-bridge test))

(test-begin "srfi 87")

(test '(3) (case 3 ((1) 'one) ((2 3) => list) (else 'other)))
(test 'one (case 1 ((1) 'one) (else => list)))
(test '(9) (case 9 ((1) 'one) (else => list)))

(test-end)
(test-exit)
