;;; (chibi weak). That references break is tested with the collector.
(import (scheme base) (chibi weak) (chibi-bridge test))

(test-begin "weak")

(define key (list 1))
(define e (make-ephemeron key 'value))
(test '(#t #f #f) (list (ephemeron? e) (ephemeron? key) (ephemeron-broken? e)))
(test '((1) value) (list (ephemeron-key e) (ephemeron-value e)))
(define v (make-weak-vector 3))
(test '(#t #f 3) (list (weak-vector? v) (weak-vector? #(1)) (weak-vector-length v)))
(test '(#f 7) (list (weak-vector-ref v 0) (weak-vector-ref (make-weak-vector 1 7) 0)))
(weak-vector-set! v 0 key)
(weak-vector-set! v 1 5)
(weak-vector-set! v 2 e)
(test #t (eq? key (weak-vector-ref v 0)))
(test 5 (weak-vector-ref v 1))
(test #t (eq? e (weak-vector-ref v 2)))
(test-error (weak-vector-ref v 3))
(test-error (weak-vector-set! v 3 1))

(test-end)
(test-exit)
