;;; SRFI 61.
(import (scheme base) (srfi 61)
        (chibi-bridge test))

(test-begin "srfi 61")

(define (find-port)
  (cond ((values 1 2) (lambda (a b) (> a b)) => list)
        ((values 3 4) (lambda (a b) (< a b)) => list)
        (else 'no)))

(test '(3 4) (find-port))
(test '() (cond ((values) (lambda () #t) => list)))
(test 'else (cond (#f 1) (else 'else)))
(test 2 (cond (#f) (2)))
(test 3 (cond ((assv 'b '((a 1))) 1) ((= 1 1) 2 3)))
(test '(b 2) (cond ((assv 'b '((a 1) (b 2))) => values) (else 'no)))
(test 'first (cond (#t 'first) ((values 1) number? => list)))
(test 5 (let ((x 5)) (cond ((= x 4) 'four) (x))))

(test-end)
(test-exit)
