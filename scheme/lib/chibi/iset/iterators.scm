;;; (chibi iset iterators), the body. Sets are compared as ascending lists of ranges
;;; (from . to), between any two of which an integer is missing.

;;> (iset-fold-node kons knil iset)
;;> Call (KONS node state) for each node, the leftmost first.
;;> (iset-fold-node (lambda (node n) (+ n 1)) 0 (make-iset 1 9)) => 1
(define (iset-fold-node kons knil iset)
  (if iset
      (iset-fold-node kons
                      (kons iset (iset-fold-node kons knil (iset-left iset)))
                      (iset-right iset))
      knil))

;;> (iset-for-each-node procedure iset)
;;> Call PROCEDURE with each node, the leftmost first.
(define (iset-for-each-node procedure iset)
  (iset-fold-node (lambda (node state) (procedure node)) #f iset)
  (if #f #f))

;; Add the range from .. to to ranges, the last of which comes first.
(define (add-range from to ranges)
  (if (and (pair? ranges) (= from (+ 1 (cdar ranges))))
      (cons (cons (caar ranges) to) (cdr ranges))
      (cons (cons from to) ranges)))

(define (add-bits start bits ranges)
  (if (= bits 0)
      ranges
      (let* ((zeros (first-set-bit bits))
             (from (+ start zeros))
             (rest (arithmetic-shift bits (- zeros)))
             (ones (first-set-bit (bitwise-not rest))))
        (add-bits (+ from ones) (arithmetic-shift rest (- ones))
                  (add-range from (+ from ones -1) ranges)))))

;;> (iset->ranges iset)
;;> Return the list of the (from . to) that ISET consists of, ascending.
;;> (iset->ranges (make-iset 1 9)) => ((1 . 9))
(define (iset->ranges iset)
  (reverse
   (iset-fold-node
    (lambda (node ranges)
      (if (iset-bits node)
          (add-bits (iset-start node) (iset-bits node) ranges)
          (add-range (iset-start node) (iset-end node) ranges)))
    '()
    iset)))

;;> (iset-fold kons knil iset)
;;> Call (KONS n state) for each N in ISET, the least first.
;;> (iset-fold cons '() (make-iset 1 3)) => (3 2 1)
(define (iset-fold kons knil iset)
  (let loop ((ranges (iset->ranges iset)) (state knil))
    (if (null? ranges)
        state
        (let ((to (cdar ranges)))
          (let next ((n (caar ranges)) (state state))
            (if (> n to)
                (loop (cdr ranges) state)
                (next (+ n 1) (kons n state))))))))

;;> (iset-for-each procedure iset)
;;> Call PROCEDURE with each integer in ISET, the least first.
(define (iset-for-each procedure iset)
  (iset-fold (lambda (n state) (procedure n)) #f iset)
  (if #f #f))

;;> (iset->list iset)
;;> Return the integers in ISET, ascending. (iset->list (make-iset 1 3)) => (1 2 3)
(define (iset->list iset) (reverse (iset-fold cons '() iset)))

;;> (iset-size iset)
;;> Return how many integers are in ISET. (iset-size (make-iset 1 3)) => 3
(define (iset-size iset)
  (iset-fold-node
   (lambda (node n)
     (+ n (if (iset-bits node)
              (bit-count (iset-bits node))
              (+ 1 (- (iset-end node) (iset-start node))))))
   0 iset))

;;> (iset-empty? iset)
;;> Is ISET empty? (iset-empty? (make-iset)) => #t
(define (iset-empty? iset)
  (or (not iset)
      (and (eqv? 0 (iset-bits iset))
           (iset-empty? (iset-left iset))
           (iset-empty? (iset-right iset)))))

(define (subset? a b)
  (cond ((null? a) #t)
        ((null? b) #f)
        ((< (cdar b) (caar a)) (subset? a (cdr b)))
        (else (and (<= (caar b) (caar a)) (<= (cdar a) (cdar b))
                   (subset? (cdr a) b)))))

(define (chain? test isets)
  (or (null? isets)
      (let loop ((a (iset->ranges (car isets))) (rest (cdr isets)))
        (or (null? rest)
            (let ((b (iset->ranges (car rest))))
              (and (test a b) (loop b (cdr rest))))))))

;;> (iset= iset ...), (iset<= iset ...), (iset>= iset ...)
;;> Are the sets equal; is each a subset, or a superset, of the next?
;;> (iset<= (make-iset 2) (make-iset 1 3)) => #t
(define (iset= . isets) (chain? equal? isets))
(define (iset<= . isets) (chain? subset? isets))
(define (iset>= . isets) (chain? (lambda (a b) (subset? b a)) isets))

;; -- cursors -------------------------------------------------------------------
;; At n; `ranges` are what comes from the range of n on.
(define-record-type Iset-Cursor
  (make-cursor n ranges)
  iset-cursor?
  (n cursor-n)
  (ranges cursor-ranges))

(define (first-cursor ranges)
  (make-cursor (and (pair? ranges) (caar ranges)) ranges))

;;> (iset-cursor iset)
;;> Return a cursor at the least integer of ISET.
;;> (iset-ref (make-iset 4 9) (iset-cursor (make-iset 4 9))) => 4
(define (iset-cursor iset) (first-cursor (iset->ranges iset)))

;;> (iset-cursor? object)
;;> Is OBJECT a cursor? (iset-cursor? 1) => #f

;;> (iset-ref iset cursor)
;;> Return the integer at CURSOR.
(define (iset-ref iset cursor)
  (or (cursor-n cursor) (error "iset-ref: the cursor is at the end")))

;;> (iset-cursor-next iset cursor)
;;> Return the cursor at the next integer.
(define (iset-cursor-next iset cursor)
  (let ((ranges (cursor-ranges cursor)))
    (cond ((null? ranges) cursor)
          ((< (cursor-n cursor) (cdar ranges))
           (make-cursor (+ 1 (cursor-n cursor)) ranges))
          (else (first-cursor (cdr ranges))))))

;;> (end-of-iset? cursor)
;;> Is CURSOR behind the last integer? (end-of-iset? (iset-cursor (make-iset))) => #t
(define (end-of-iset? cursor) (null? (cursor-ranges cursor)))
