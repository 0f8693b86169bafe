;;; SRFI 0.
(import (scheme base) (srfi 0)
        (chibi-bridge test))

(test-begin "srfi 0")

(test 'yes (cond-expand (srfi-0 'yes) (else 'no)))
(test 'yes (cond-expand ((and srfi-1 srfi-26 (not srfi-9999)) 'yes) (else 'no)))
(test 'no (cond-expand ((or srfi-9999 srfi-01 srfi- srfi-x) 'yes) (else 'no)))
(test 'yes (cond-expand ((library (srfi 1)) 'yes) (else 'no)))
(test 'r7rs (cond-expand (no-such-feature 'no) (r7rs 'r7rs)))

(test-end)
(test-exit)
