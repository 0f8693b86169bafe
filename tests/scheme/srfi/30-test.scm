;;; SRFI 30.
(import (scheme base) (srfi 30)
        (chibi-bridge test))

(test-begin "srfi 30")

(test '(1 3) '(1 #| 2 |# 3))
(test '(1 3) '(1 #| 2 #| nested |# still |# 3))
(test "#| no comment |#" (string-append "#| no" " comment |#"))
(test '(1 2) '(1 #|| bars | # ||# 2))

(test-end)
(test-exit)
