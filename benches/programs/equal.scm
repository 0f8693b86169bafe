;;; data: equal? on lists, vectors and strings.
(define (tree n)
  (if (= n 0) (list "leaf" 1.5 #\x 'sym) (vector (tree (- n 1)) (list n (tree (- n 1))))))
(define (run)
  (let ((a (tree 11)) (b (tree 11)))
    (do ((i 0 (+ i 1)) (r #t (and r (equal? a b)))) ((= i 10) r))))
(define expected #t)
