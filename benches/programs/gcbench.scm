;;; memory: trees of several depths built and dropped while others live on.
(define (make-tree depth)
  (if (= depth 0) (vector '() '()) (vector (make-tree (- depth 1)) (make-tree (- depth 1)))))
(define (count-nodes t)
  (if (null? (vector-ref t 0))
      1
      (+ 1 (count-nodes (vector-ref t 0)) (count-nodes (vector-ref t 1)))))
(define (run)
  (let ((long-lived (make-tree 14)))
    (do ((i 0 (+ i 1)) (r 0 (+ r (count-nodes (make-tree 10))))) ((= i 150) (+ r (count-nodes long-lived))))))
(define expected 339817)
