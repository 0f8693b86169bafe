;;; (chibi equiv).
(import (scheme base) (chibi equiv) (chibi-bridge test))

(define (circle . elements)
  (let ((l (list-copy elements)))
    (let loop ((p l)) (if (pair? (cdr p)) (loop (cdr p)) (set-cdr! p l)))
    l))

(test-begin "equiv")

(test '(#t #f) (list (equiv? '(1 #(2 "x")) '(1 #(2 "x"))) (equiv? '(1 2) '(1 3))))
(test #t (equiv? (circle 1 2) (circle 1 2 1 2)))
(test #f (equiv? (circle 1 2) (circle 1 2 1)))

(test-end)
(test-exit)
