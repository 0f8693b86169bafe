;;; Sorting, the body. One algorithm, on vectors: runs of doubling width are
;;; merged from one vector to another and back.

;; Merge FROM[low, mid) and FROM[mid, high) into TO. Equal elements keep their
;; order.
(define (merge-runs! less? from to low mid high)
  (if (or (= mid high)
          (not (less? (vector-ref from mid) (vector-ref from (- mid 1)))))
      (vector-copy! to low from low high)
      (let loop ((i low) (j mid) (k low))
        (cond ((= i mid) (vector-copy! to k from j high))
              ((= j high) (vector-copy! to k from i mid))
              ((less? (vector-ref from j) (vector-ref from i))
               (vector-set! to k (vector-ref from j))
               (loop i (+ j 1) (+ k 1)))
              (else
               (vector-set! to k (vector-ref from i))
               (loop (+ i 1) j (+ k 1)))))))

(define (merge-pass! less? from to width n)
  (let loop ((low 0))
    (if (< low n)
        (let* ((mid (min n (+ low width)))
               (high (min n (+ mid width))))
          (merge-runs! less? from to low mid high)
          (loop high)))))

;; The elements of V, a vector of our own, sorted: V or another vector.
(define (sorted-vector less? v)
  (let ((n (vector-length v)))
    (let loop ((from v) (to (make-vector n #f)) (width 1))
      (if (< width n)
          (begin
            (merge-pass! less? from to width n)
            (loop to from (* 2 width)))
          from))))

(define (sorted-list less? list)
  (if (or (null? list) (null? (cdr list)))
      (list-copy list)
      (vector->list (sorted-vector less? (list->vector list)))))

;; -- argument orders --------------------------------------------------------

(define (check who less? sequence)
  (if (not (procedure? less?))
      (error (string-append who ": not a procedure") less?))
  (if (not (or (list? sequence) (vector? sequence)))
      (error (string-append who ": not a list or vector") sequence)))

(define (order-of a b) (if (procedure? a) a b))
(define (sequence-of a b) (if (procedure? a) b a))

(define (by-key less? key)
  (lambda (a b) (less? (key a) (key b))))

;; Calls (f less? sequence) for arguments A, B in either order, and [key].
(define (with-order who f a b rest)
  (let ((less? (order-of a b))
        (sequence (sequence-of a b)))
    (check who less? sequence)
    (f (if (pair? rest) (by-key less? (car rest)) less?)
       sequence)))

;; -- SRFI 95 ----------------------------------------------------------------

;;> (sort sequence less? [key])
;;> Return a new list or vector of the elements in order.
;;> (sort '(3 1 2) <) => (1 2 3)
(define (sort a b . rest)
  (with-order "sort"
    (lambda (less? sequence)
      (if (vector? sequence)
          (sorted-vector less? (vector-copy sequence))
          (sorted-list less? sequence)))
    a b rest))

(define (fill-list! list v)
  (let loop ((rest list) (i 0))
    (if (pair? rest)
        (begin
          (set-car! rest (vector-ref v i))
          (loop (cdr rest) (+ i 1))))))

;;> (sort! sequence less? [key])
;;> Put the elements of a list or vector in order; return it.
(define (sort! a b . rest)
  (with-order "sort!"
    (lambda (less? sequence)
      (if (vector? sequence)
          (vector-copy! sequence 0
                        (sorted-vector less? (vector-copy sequence)))
          (fill-list! sequence
                      (sorted-vector less? (list->vector sequence))))
      sequence)
    a b rest))

(define (list-in-order? less? list)
  (or (null? list)
      (let loop ((element (car list)) (rest (cdr list)))
        (or (null? rest)
            (and (not (less? (car rest) element))
                 (loop (car rest) (cdr rest)))))))

;;> (sorted? sequence less? [key])
;;> Are the elements in order?
(define (sorted? a b . rest)
  (with-order "sorted?"
    (lambda (less? sequence)
      (list-in-order? less? (if (vector? sequence)
                                (vector->list sequence)
                                sequence)))
    a b rest))

(define (merged-lists less? a b)
  (let loop ((a a) (b b) (out '()))
    (cond ((null? a) (append (reverse out) b))
          ((null? b) (append (reverse out) a))
          ((less? (car b) (car a)) (loop a (cdr b) (cons (car b) out)))
          (else (loop (cdr a) b (cons (car a) out))))))

;;> (merge a b less? [key])
;;> Return a list of the elements of two sorted lists in order.
;;> (merge '(1 3) '(2) <) => (1 2 3)
(define (merge a b less? . rest)
  (if (procedure? a)
      (merged-lists a b less?)
      (merged-lists (if (pair? rest) (by-key less? (car rest)) less?) a b)))

(define merge! merge)

;; -- SRFI 132: lists --------------------------------------------------------

;;> (list-sort less? list)
;;> Return a new list of the elements in order. (list-sort < '(2 1)) => (1 2)
(define (list-sort a b) (with-order "list-sort" sorted-list a b '()))

(define list-stable-sort list-sort)
(define list-sort! list-sort)
(define list-stable-sort! list-sort)

;;> (list-sorted? less? list)
;;> Are the elements in order?
(define (list-sorted? a b) (with-order "list-sorted?" list-in-order? a b '()))

;;> (list-merge less? a b)
;;> Return a list of the elements of two sorted lists in order.
(define (list-merge less? a b) (merged-lists less? a b))
(define list-merge! list-merge)

;;> (list-delete-neighbor-dups same? list)
;;> Return LIST without elements that are the same as the one before.
(define (list-delete-neighbor-dups same? list)
  (if (null? list)
      '()
      (let loop ((kept (car list))
                 (rest (cdr list))
                 (out (cons (car list) '())))
        (cond ((null? rest) (reverse out))
              ((same? kept (car rest)) (loop kept (cdr rest) out))
              (else (loop (car rest) (cdr rest) (cons (car rest) out)))))))

(define list-delete-neighbor-dups! list-delete-neighbor-dups)

;; -- SRFI 132: vectors ------------------------------------------------------

;; Calls (f start end) for optional arguments REST of a procedure over V.
(define (with-span v rest f)
  (f (if (pair? rest) (car rest) 0)
     (if (and (pair? rest) (pair? (cdr rest)))
         (cadr rest)
         (vector-length v))))

;;> (vector-sort less? vector [start [end]])
;;> Return a new vector of the elements in order.
(define (vector-sort a b . rest)
  (let ((less? (order-of a b))
        (v (sequence-of a b)))
    (check "vector-sort" less? v)
    (with-span v rest
      (lambda (start end) (sorted-vector less? (vector-copy v start end))))))

(define vector-stable-sort vector-sort)

;;> (vector-sort! less? vector [start [end]])
;;> Put the elements of VECTOR in order.
(define (vector-sort! a b . rest)
  (let ((less? (order-of a b))
        (v (sequence-of a b)))
    (check "vector-sort!" less? v)
    (with-span v rest
      (lambda (start end)
        (vector-copy! v start
                      (sorted-vector less? (vector-copy v start end)))))))

(define vector-stable-sort! vector-sort!)

;;> (vector-sorted? less? vector [start [end]])
;;> Are the elements in order?
(define (vector-sorted? less? v . rest)
  (with-span v rest
    (lambda (start end) (list-in-order? less? (vector->list v start end)))))

;;> (vector-merge less? a b [start-a end-a start-b end-b])
;;> Return a vector of the elements of two sorted vectors in order.
(define (vector-merge less? a b . rest)
  (with-span a rest
    (lambda (start-a end-a)
      (with-span b (if (and (pair? rest) (pair? (cdr rest))) (cddr rest) '())
        (lambda (start-b end-b)
          (list->vector
           (merged-lists less?
                         (vector->list a start-a end-a)
                         (vector->list b start-b end-b))))))))

;;> (vector-merge! less? to a b [start start-a end-a start-b end-b])
;;> Store the elements of two sorted vectors in order in TO.
(define (vector-merge! less? to a b . rest)
  (vector-copy! to (if (pair? rest) (car rest) 0)
                (apply vector-merge less? a b
                       (if (pair? rest) (cdr rest) '()))))

;;> (vector-delete-neighbor-dups same? vector [start [end]])
;;> Return a vector without elements that are the same as the one before.
(define (vector-delete-neighbor-dups same? v . rest)
  (with-span v rest
    (lambda (start end)
      (list->vector
       (list-delete-neighbor-dups same? (vector->list v start end))))))

;;> (vector-delete-neighbor-dups! same? vector [start [end]])
;;> The same in place; return the index behind the last element kept.
(define (vector-delete-neighbor-dups! same? v . rest)
  (with-span v rest
    (lambda (start end)
      (let ((kept (vector-delete-neighbor-dups same? v start end)))
        (vector-copy! v start kept)
        (+ start (vector-length kept))))))

(define (median-of sorted knil mean)
  (let* ((n (vector-length sorted))
         (half (quotient n 2)))
    (cond ((= n 0) knil)
          ((odd? n) (vector-ref sorted half))
          (else (mean (vector-ref sorted (- half 1))
                      (vector-ref sorted half))))))

(define (arithmetic-mean a b) (/ (+ a b) 2))

;;> (vector-find-median less? vector knil [mean])
;;> Return the median element; of an even number the MEAN of the two middle
;;> ones; KNIL of none.
(define (vector-find-median less? v knil . rest)
  (median-of (vector-sort less? v) knil
             (if (pair? rest) (car rest) arithmetic-mean)))

;;> (vector-find-median! less? vector knil [mean])
;;> The same, and VECTOR is sorted.
(define (vector-find-median! less? v knil . rest)
  (vector-sort! less? v)
  (median-of v knil (if (pair? rest) (car rest) arithmetic-mean)))

;;> (vector-select! less? vector k [start [end]])
;;> Return the element that would be at K, from START, were it sorted.
(define (vector-select! less? v k . rest)
  (with-span v rest
    (lambda (start end)
      (vector-sort! less? v start end)
      (vector-ref v (+ start k)))))

;;> (vector-separate! less? vector k [start [end]])
;;> Put the K smallest elements first.
(define (vector-separate! less? v k . rest)
  (with-span v rest
    (lambda (start end) (vector-sort! less? v start end))))
