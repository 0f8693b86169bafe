;;; R7RS 6.14 System interface.
(import (scheme base) (scheme process-context) (chibi-bridge test))

(test-begin "6.14 System interface")

(test #t (list? (features)))
(test #t (and (memq 'r7rs (features)) #t))
(test #t (procedure? exit))
(test #t (procedure? emergency-exit))
(test 'r7rs (cond-expand (r7rs 'r7rs) (else 'other)))
(test 'yes (cond-expand ((library (scheme base)) 'yes) (else 'no)))
(test 'no (cond-expand ((library (no such library)) 'yes) (else 'no)))
(test 'and (cond-expand ((and r7rs (not no-such-feature)) 'and) (else 'no)))
(test 'or (cond-expand ((or no-such-feature r7rs) 'or) (else 'no)))

(test-end)
(test-exit)
