;;; (chibi iset optimize), the body.

(define widest 128)

;; A balanced tree of nodes in ascending order.
(define (nodes->iset nodes)
  (let ((v (list->vector nodes)))
    (let build ((low 0) (high (vector-length v)))
      (and (< low high)
           (let* ((middle (quotient (+ low high) 2))
                  (node (iset-copy-node (vector-ref v middle))))
             (iset-left-set! node (build low middle))
             (iset-right-set! node (build (+ middle 1) high))
             node)))))

;;> (iset-balance iset), (iset-balance! iset)
;;> Return the same set as a tree that is as flat as can be.
;;> (iset->list (iset-balance (iset 1 900))) => (1 900)
(define (iset-balance iset)
  (nodes->iset (reverse (iset-fold-node cons '() iset))))
(define (iset-balance! iset) (iset-become! iset (iset-balance iset)))

(define (range-bits start from to)
  (arithmetic-shift (- (arithmetic-shift 1 (+ 1 (- to from))) 1)
                    (- from start)))

;; Nodes, the last one first: ranges that are near each other make one bit set.
(define (pack ranges)
  (let loop ((ranges ranges) (nodes '()))
    (if (null? ranges)
        nodes
        (let ((from (caar ranges)) (to (cdar ranges)))
          (if (and (pair? nodes) (< (- to (iset-start (car nodes))) widest))
              (let* ((node (car nodes)) (start (iset-start node)))
                (loop (cdr ranges)
                      (cons (%make-iset
                             start to
                             (bitwise-ior
                              (or (iset-bits node)
                                  (range-bits start start (iset-end node)))
                              (range-bits start from to))
                             #f #f)
                            (cdr nodes))))
              (loop (cdr ranges)
                    (cons (%make-iset from to #f #f #f) nodes)))))))

;;> (iset-optimize iset), (iset-optimize! iset)
;;> Return the same set with as few nodes as bit sets allow.
;;> (iset->list (iset-optimize (iset 1 3 5))) => (1 3 5)
(define (iset-optimize iset)
  (or (nodes->iset (reverse (pack (iset->ranges iset)))) (make-iset)))
(define (iset-optimize! iset) (iset-become! iset (iset-optimize iset)))

;;> (iset->code iset)
;;> Return the expression of a procedure that tells whether an integer is in ISET.
;;> (iset->code (make-iset 1 3)) => (lambda (n) (<= 1 n 3))
(define (iset->code iset)
  (let ((v (list->vector (iset->ranges iset))))
    (list 'lambda '(n)
          (let build ((low 0) (high (vector-length v)))
            (cond ((>= low high) #f)
                  ((= high (+ low 1))
                   (let ((range (vector-ref v low)))
                     (if (= (car range) (cdr range))
                         (list '= 'n (car range))
                         (list '<= (car range) 'n (cdr range)))))
                  (else
                   (let ((middle (quotient (+ low high) 2)))
                     (list 'if (list '< 'n (car (vector-ref v middle)))
                           (build low middle)
                           (build middle high)))))))))
