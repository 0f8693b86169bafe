;;; SRFI 141, the body. The floor and truncate families are R7RS's.

;;> (ceiling/ n d)
;;> Return the quotient rounded up and the remainder.
;;> (call-with-values (lambda () (ceiling/ 7 2)) list) => (4 -1)
(define (ceiling/ n d)
  (let ((q (ceiling-quotient n d))) (values q (- n (* d q)))))

;;> (ceiling-quotient n d)
;;> Return N divided by D, rounded up. (ceiling-quotient 7 2) => 4
(define (ceiling-quotient n d) (- (floor-quotient (- n) d)))

;;> (ceiling-remainder n d)
;;> Return what ceiling-quotient leaves. (ceiling-remainder 7 2) => -1
(define (ceiling-remainder n d) (- n (* d (ceiling-quotient n d))))

;;> (euclidean/ n d)
;;> Return the quotient that leaves a remainder of 0 or more, and the remainder.
;;> (call-with-values (lambda () (euclidean/ -7 -2)) list) => (4 1)
(define (euclidean/ n d)
  (let ((q (euclidean-quotient n d))) (values q (- n (* d q)))))

;;> (euclidean-quotient n d)
;;> Return the quotient that leaves a remainder of 0 or more.
;;> (euclidean-quotient -7 2) => -4
(define (euclidean-quotient n d)
  (if (> d 0) (floor-quotient n d) (ceiling-quotient n d)))

;;> (euclidean-remainder n d)
;;> Return the remainder of 0 or more. (euclidean-remainder -7 2) => 1
(define (euclidean-remainder n d) (- n (* d (euclidean-quotient n d))))

;;> (round/ n d)
;;> Return the nearest quotient, the even one of two, and the remainder.
;;> (call-with-values (lambda () (round/ 7 2)) list) => (4 -1)
(define (round/ n d)
  (let ((q (round-quotient n d))) (values q (- n (* d q)))))

;;> (round-quotient n d)
;;> Return N divided by D, rounded to the nearest, the even one of two.
;;> (round-quotient 5 2) => 2
(define (round-quotient n d)
  (let* ((q (floor-quotient n d))
         (r (- n (* d q)))
         (twice (abs (* 2 r)))
         (size (abs d)))
    (if (or (> twice size) (and (= twice size) (odd? q)))
        (+ q 1)
        q)))

;;> (round-remainder n d)
;;> Return what round-quotient leaves. (round-remainder 7 2) => -1
(define (round-remainder n d) (- n (* d (round-quotient n d))))

;;> (balanced/ n d)
;;> Return the quotient that leaves a remainder r with -|d/2| <= r < |d/2|, and r.
;;> (call-with-values (lambda () (balanced/ 7 4)) list) => (2 -1)
(define (balanced/ n d)
  (let ((q (balanced-quotient n d))) (values q (- n (* d q)))))

;;> (balanced-quotient n d)
;;> Return the quotient of balanced/. (balanced-quotient 7 4) => 2
(define (balanced-quotient n d)
  (let ((q (euclidean-quotient n d)))
    (if (< (* 2 (- n (* d q))) (abs d))
        q
        (if (> d 0) (+ q 1) (- q 1)))))

;;> (balanced-remainder n d)
;;> Return the remainder of balanced/. (balanced-remainder 7 4) => -1
(define (balanced-remainder n d) (- n (* d (balanced-quotient n d))))
