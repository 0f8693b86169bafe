;;; SRFI 124.
(import (scheme base) (srfi 124)
        (chibi-bridge test))

(test-begin "srfi 124")

(define key (list 'key))
(define e (make-ephemeron key 'datum))

(test #t (ephemeron? e))
(test #f (ephemeron? key))
(test #t (eq? key (ephemeron-key e)))
(test 'datum (ephemeron-datum e))
(test #f (ephemeron-broken? e))
(reference-barrier key)
(test #f (ephemeron-broken? e))

(test-end)
(test-exit)
