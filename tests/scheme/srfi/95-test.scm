;;; SRFI 95.
(import (scheme base) (srfi 95) (chibi-bridge test))

(test-begin "srfi 95")

(define pairs '((b . 1) (a . 1) (c . 0) (a . 2)))

(test #t (sorted? '(1 1 2) <))
(test #f (sorted? '(1 1 2) >))
(test #t (sorted? '#(3 2) >))
(test #t (sorted? '#() <))
(test #t (sorted? '((a . 1) (b . 2)) < cdr))
(test '(1 2 3 4) (merge '(1 3) '(2 4) <))
(test '((a . 1) (x . 1) (b . 2)) (merge '((a . 1) (b . 2)) '((x . 1)) < cdr))
(test '(1 2 3) (merge! (list 1 3) (list 2) <))
(test '(1 2 3) (sort '(3 1 2) <))
(test '#(1 2 3) (sort '#(3 1 2) <))
(test '((c . 0) (b . 1) (a . 1) (a . 2)) (sort pairs < cdr))
(test '(1 2 3) (sort! (list 3 1 2) <))
(test '#(1 2 3) (let ((v (vector 3 1 2))) (sort! v <) v))
(test '#((c . 0) (b . 1)) (sort! (vector '(b . 1) '(c . 0)) < cdr))
(test-error (sort 'x <))

(test-end)
(test-exit)
