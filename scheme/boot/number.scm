;;; Numbers: the procedures of R7RS 6.2.6 that return two values.

(define (exact-integer-sqrt n)
  (let ((pair (%exact-integer-sqrt n)))
    (values (car pair) (cdr pair))))

(define (floor/ n m)
  (values (floor-quotient n m) (floor-remainder n m)))

(define (truncate/ n m)
  (values (truncate-quotient n m) (truncate-remainder n m)))
