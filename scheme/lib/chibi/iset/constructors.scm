;;; (chibi iset constructors), the body.

;;> (ranges->iset ranges)
;;> Return the set, a balanced tree, of an ascending list of (from . to).
;;> (iset->list (ranges->iset '((1 . 2) (7 . 7)))) => (1 2 7)
(define (ranges->iset ranges)
  (let ((v (list->vector ranges)))
    (let build ((low 0) (high (vector-length v)))
      (if (>= low high)
          (if (= high 0) (make-iset) #f)
          (let* ((middle (quotient (+ low high) 2))
                 (range (vector-ref v middle)))
            (%make-iset (car range) (cdr range) #f
                        (and (< low middle) (build low middle))
                        (and (< (+ middle 1) high) (build (+ middle 1) high))))))))

;;> (iset-become! iset other)
;;> Make ISET the same set as OTHER, whose nodes it takes.
(define (iset-become! iset other)
  (iset-start-set! iset (iset-start other))
  (iset-end-set! iset (iset-end other))
  (iset-bits-set! iset (iset-bits other))
  (iset-left-set! iset (iset-left other))
  (iset-right-set! iset (iset-right other))
  iset)

;;> (iset-copy-node iset)
;;> Return a copy of the node alone. (iset-left (iset-copy-node (iset 1 900))) => #f
(define (iset-copy-node iset)
  (%make-iset (iset-start iset) (iset-end iset) (iset-bits iset) #f #f))

;;> (iset-copy iset)
;;> Return a copy of ISET. (iset->list (iset-copy (iset 1 2))) => (1 2)
(define (iset-copy iset)
  (and iset
       (%make-iset (iset-start iset) (iset-end iset) (iset-bits iset)
                   (iset-copy (iset-left iset)) (iset-copy (iset-right iset)))))

(define (full-bits start end)
  (- (arithmetic-shift 1 (+ 1 (- end start))) 1))

;;> (iset-squash-bits! iset)
;;> Let a node whose bits are all set do without them; return it.
(define (iset-squash-bits! iset)
  (if (and (iset-bits iset)
           (= (iset-bits iset) (full-bits (iset-start iset) (iset-end iset))))
      (iset-bits-set! iset #f))
  iset)

;;> (iset-insert-left! iset node), (iset-insert-right! iset node)
;;> Put NODE, whose integers are all less, or greater, below the node ISET.
(define (iset-insert-left! iset node)
  (iset-left-set! iset (if (iset-left iset)
                           (iset-union (iset-left iset) node)
                           node)))
(define (iset-insert-right! iset node)
  (iset-right-set! iset (if (iset-right iset)
                            (iset-union (iset-right iset) node)
                            node)))

;; -- one integer ----------------------------------------------------------------

(define widest 128)
(define deepest 64)

(define (node-bits node)
  (or (iset-bits node) (full-bits (iset-start node) (iset-end node))))

;; N is not in the node's span, and nothing is between: let the node span it where it
;; stays small. Did it?
(define (widen! node n)
  (let ((start (iset-start node)) (end (iset-end node)))
    (cond ((and (not (iset-bits node)) (= n (+ end 1)))
           (iset-end-set! node n))
          ((and (not (iset-bits node)) (= n (- start 1)))
           (iset-start-set! node n))
          ((and (< end n) (< (- n start) widest))
           (iset-bits-set! node
                           (bitwise-ior (node-bits node)
                                        (arithmetic-shift 1 (- n start))))
           (iset-end-set! node n))
          ((and (< n start) (< (- end n) widest))
           (iset-bits-set! node
                           (+ 1 (arithmetic-shift (node-bits node) (- start n))))
           (iset-start-set! node n))
          (else #f))))

(define (adjoin-in-span! node n)
  (when (iset-bits node)
    (iset-bits-set! node
                    (bitwise-ior (iset-bits node)
                                 (arithmetic-shift 1 (- n (iset-start node)))))
    (iset-squash-bits! node)))

(define (leaf n) (%make-iset n n #f #f #f))

(define (adjoin-one! iset n)
  (if (not (exact-integer? n)) (error "not an exact integer" n))
  (let loop ((node iset) (depth 0))
    (cond ((and (eqv? 0 (iset-bits node))
                (not (iset-left node)) (not (iset-right node)))
           (iset-become! node (leaf n)))
          ((< n (iset-start node))
           (cond ((iset-left node) (loop (iset-left node) (+ depth 1)))
                 ((widen! node n))
                 (else (iset-left-set! node (leaf n)))))
          ((> n (iset-end node))
           (cond ((iset-right node) (loop (iset-right node) (+ depth 1)))
                 ((widen! node n))
                 (else (iset-right-set! node (leaf n)))))
          (else (adjoin-in-span! node n)))
    (if (= depth deepest)
        (iset-become! iset (ranges->iset (iset->ranges iset))))))

;;> (iset-adjoin iset n ...), (iset-adjoin! iset n ...)
;;> Return the set with the Ns too. (iset->list (iset-adjoin (iset 3) 1)) => (1 3)
(define (iset-adjoin iset . ns) (apply iset-adjoin! (iset-copy iset) ns))
(define (iset-adjoin! iset . ns)
  (for-each (lambda (n) (adjoin-one! iset n)) ns)
  iset)

;; N is inside the node: split a range, clear a bit.
(define (delete-in-span! node n)
  (let ((start (iset-start node)) (end (iset-end node)))
    (cond ((iset-bits node)
           (iset-bits-set! node
                           (bitwise-and (iset-bits node)
                                        (bitwise-not
                                         (arithmetic-shift 1 (- n start))))))
          ((= start end) (iset-bits-set! node 0))
          ((= n start) (iset-start-set! node (+ n 1)))
          ((= n end) (iset-end-set! node (- n 1)))
          (else
           (iset-end-set! node (- n 1))
           (iset-right-set! node
                            (%make-iset (+ n 1) end #f #f
                                        (iset-right node)))))))

(define (delete-one! iset n)
  (let loop ((node iset))
    (cond ((not node) #f)
          ((< n (iset-start node)) (loop (iset-left node)))
          ((> n (iset-end node)) (loop (iset-right node)))
          (else (delete-in-span! node n)))))

;;> (iset-delete iset n ...), (iset-delete! iset n ...)
;;> Return the set without the Ns. (iset->list (iset-delete (make-iset 1 3) 2)) => (1 3)
(define (iset-delete iset . ns) (apply iset-delete! (iset-copy iset) ns))
(define (iset-delete! iset . ns)
  (for-each (lambda (n) (delete-one! iset n)) ns)
  iset)

;; -- lists -------------------------------------------------------------------------

(define (sorted->ranges ns)
  (let loop ((ns ns) (ranges '()))
    (cond ((null? ns) (reverse ranges))
          ((and (pair? ranges) (<= (car ns) (cdar ranges)))
           (loop (cdr ns) ranges))
          ((and (pair? ranges) (= (car ns) (+ 1 (cdar ranges))))
           (loop (cdr ns)
                 (cons (cons (caar ranges) (car ns)) (cdr ranges))))
          (else (loop (cdr ns) (cons (cons (car ns) (car ns)) ranges))))))

;;> (list->iset list [base]), (list->iset! list base)
;;> Return the set of the integers in LIST, and those in BASE.
;;> (iset->list (list->iset '(3 1 2))) => (1 2 3)
(define (list->iset list . base)
  (for-each (lambda (n)
              (if (not (exact-integer? n)) (error "not an exact integer" n)))
            list)
  (let ((made (ranges->iset (sorted->ranges (list-sort < list)))))
    (if (pair? base) (iset-union (car base) made) made)))
(define (list->iset! list base) (iset-become! base (list->iset list base)))

;;> (iset n ...)
;;> Return the set of the Ns. (iset->list (iset 3 1)) => (1 3)
(define (iset . ns) (list->iset ns))

;;> (iset-map procedure iset)
;;> Return the set of what PROCEDURE makes of each integer.
;;> (iset->list (iset-map - (iset 1 2))) => (-2 -1)
(define (iset-map procedure iset)
  (list->iset (iset-fold (lambda (n ns) (cons (procedure n) ns)) '() iset)))

;; -- sets ---------------------------------------------------------------------------

(define (before? a b) (< (car a) (car b)))

(define (union-ranges a b)
  (let loop ((a a) (b b) (done '()))
    (cond ((and (null? a) (null? b)) (reverse done))
          ((or (null? a) (and (pair? b) (before? (car b) (car a))))
           (loop b a done))
          ((and (pair? done) (<= (caar a) (+ 1 (cdar done))))
           (loop (cdr a) b
                 (cons (cons (caar done) (max (cdar done) (cdar a)))
                       (cdr done))))
          (else (loop (cdr a) b (cons (car a) done))))))

(define (intersect-ranges a b)
  (let loop ((a a) (b b) (done '()))
    (if (or (null? a) (null? b))
        (reverse done)
        (let ((from (max (caar a) (caar b))) (to (min (cdar a) (cdar b))))
          (let ((done (if (<= from to) (cons (cons from to) done) done)))
            (if (< (cdar a) (cdar b))
                (loop (cdr a) b done)
                (loop a (cdr b) done)))))))

(define (subtract-ranges a b)
  (let loop ((a a) (b b) (done '()))
    (cond ((null? a) (reverse done))
          ((null? b) (append-reverse done a))
          ((< (cdar b) (caar a)) (loop a (cdr b) done))
          ((< (cdar a) (caar b)) (loop (cdr a) b (cons (car a) done)))
          (else
           (let ((done (if (< (caar a) (caar b))
                           (cons (cons (caar a) (- (caar b) 1)) done)
                           done)))
             (if (> (cdar a) (cdar b))
                 (loop (cons (cons (+ 1 (cdar b)) (cdar a)) (cdr a)) (cdr b)
                       done)
                 (loop (cdr a) b done)))))))

(define (append-reverse done rest)
  (if (null? done) rest (append-reverse (cdr done) (cons (car done) rest))))

(define (combine operation isets)
  (let loop ((ranges (iset->ranges (car isets))) (rest (cdr isets)))
    (if (null? rest)
        (ranges->iset ranges)
        (loop (operation ranges (iset->ranges (car rest))) (cdr rest)))))

;;> (iset-union iset ...), (iset-union! iset ...)
;;> Return the set of what is in one of the ISETs.
;;> (iset->list (iset-union (iset 1) (iset 2))) => (1 2)
(define (iset-union . isets)
  (if (null? isets) (make-iset) (combine union-ranges isets)))
(define (iset-union! iset . isets)
  (iset-become! iset (apply iset-union iset isets)))

;;> (iset-intersection iset ...), (iset-intersection! iset ...)
;;> Return the set of what is in all ISETs.
;;> (iset->list (iset-intersection (iset 1 2) (iset 2 3))) => (2)
(define (iset-intersection iset . isets)
  (combine intersect-ranges (cons iset isets)))
(define (iset-intersection! iset . isets)
  (iset-become! iset (apply iset-intersection iset isets)))

;;> (iset-difference iset other ...), (iset-difference! iset other ...)
;;> Return the set of what is in ISET and in no OTHER.
;;> (iset->list (iset-difference (iset 1 2) (iset 2 3))) => (1)
(define (iset-difference iset . others)
  (combine subtract-ranges (cons iset others)))
(define (iset-difference! iset . others)
  (iset-become! iset (apply iset-difference iset others)))
