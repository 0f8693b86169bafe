;;; (chibi edit-distance), the body.

;;> (edit-distance a b)
;;> Return how many characters must be inserted, deleted or replaced to make A into
;;> B, in time of the product of their lengths.
;;> (edit-distance "kitten" "sitting") => 3
(define (edit-distance a b)
  (let* ((n (string-length a))
         (row (make-vector (+ n 1))))
    (do ((i 0 (+ i 1))) ((> i n)) (vector-set! row i i))
    (do ((j 0 (+ j 1))) ((= j (string-length b)))
      (next-row! row a (string-ref b j) (+ j 1)))
    (vector-ref row n)))

;; ROW holds the distances of A's beginnings to one of B; make it that of the
;; beginning that is longer by CHAR, whose own length is J.
(define (next-row! row a char j)
  (let loop ((i 0) (diagonal (vector-ref row 0)) (left j))
    (vector-set! row i left)
    (if (< i (string-length a))
        (let* ((above (vector-ref row (+ i 1)))
               (replaced (+ diagonal
                            (if (char=? char (string-ref a i)) 0 1))))
          (loop (+ i 1) above (min (+ above 1) (+ left 1) replaced))))))

;;> (find-nearest-edits string strings [max-distance])
;;> Return those of STRINGS with the smallest distance to STRING, in their order;
;;> none where that is more than MAX-DISTANCE.
;;> (find-nearest-edits "cat" '("dog" "cart" "bat")) => ("cart" "bat")
(define (find-nearest-edits string strings . rest)
  (let loop ((strings strings)
             (best (and (pair? rest) (car rest)))
             (out '()))
    (if (null? strings)
        (reverse out)
        (let ((distance (edit-distance string (car strings))))
          (cond ((or (not best) (< distance best))
                 (loop (cdr strings) distance (list (car strings))))
                ((= distance best)
                 (loop (cdr strings) best (cons (car strings) out)))
                (else (loop (cdr strings) best out)))))))
