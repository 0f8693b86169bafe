;;; SRFI 141: the quotients are those of exact fractions.
(import (scheme base) (srfi 141) (chibi-bridge test))

(define ns
  '(-9 -9 -9 -9 -9 -9 -7 -7 -7 -7 -7 -7 -6 -6 -6 -6 -6 -6 -5 -5 -5 -5 -5
    -5 -2 -2 -2 -2 -2 -2 0 0 0 0 0 0 1 1 1 1 1 1 5 5 5 5 5 5 6 6 6 6 6 6 7
    7 7 7 7 7 10 10 10 10 10 10))
(define ds
  '(-4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3 -2 2
    3 4 -4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3 -2 2 3 4 -4 -3
    -2 2 3 4 -4 -3 -2 2 3 4))

(define (every-same both quotient remainder)
  (let loop ((ns ns) (ds ds))
    (or (null? ns)
        (and (call-with-values (lambda () (both (car ns) (car ds)))
               (lambda (q r)
                 (and (= q (quotient (car ns) (car ds)))
                      (= r (remainder (car ns) (car ds))))))
             (loop (cdr ns) (cdr ds))))))

(test-begin "srfi 141")

(test
      '(3 3 5 -4 -3 -2 2 3 4 -3 -2 -1 2 2 3 -3 -2 -1 2 2 3 -2 -1 -1 1 1 1 -1
        0 0 0 0 0 0 0 0 0 0 0 1 1 1 -1 -1 -2 3 2 2 -1 -2 -3 3 2 2 -1 -2 -3 4
        3 2 -2 -3 -5 5 4 3)
      (map ceiling-quotient ns ds))
(test
      '(3 0 1 -1 0 -1 1 2 1 -1 -1 -3 2 0 0 0 0 -2 3 1 1 -1 -2 -1 2 1 0 0 -2
        -2 0 0 0 0 0 0 1 1 1 -1 -2 -3 1 2 1 -1 -1 -3 2 0 0 0 0 -2 3 1 1 -1
        -2 -1 2 1 0 0 -2 -2)
      (map ceiling-remainder ns ds))
(test #t (every-same ceiling/ ceiling-quotient ceiling-remainder))
(test
      '(3 3 5 -5 -3 -3 2 3 4 -4 -3 -2 2 2 3 -3 -2 -2 2 2 3 -3 -2 -2 1 1 1 -1
        -1 -1 0 0 0 0 0 0 0 0 0 0 0 0 -1 -1 -2 2 1 1 -1 -2 -3 3 2 1 -1 -2 -3
        3 2 1 -2 -3 -5 5 3 2)
      (map euclidean-quotient ns ds))
(test
      '(3 0 1 1 0 3 1 2 1 1 2 1 2 0 0 0 0 2 3 1 1 1 1 3 2 1 0 0 1 2 0 0 0 0
        0 0 1 1 1 1 1 1 1 2 1 1 2 1 2 0 0 0 0 2 3 1 1 1 1 3 2 1 0 0 1 2)
      (map euclidean-remainder ns ds))
(test #t (every-same euclidean/ euclidean-quotient euclidean-remainder))
(test
      '(2 3 4 -5 -3 -3 1 2 3 -4 -3 -2 1 2 3 -3 -2 -2 1 1 2 -3 -2 -2 0 0 1 -1
        -1 -1 0 0 0 0 0 0 -1 -1 -1 0 0 0 -2 -2 -3 2 1 1 -2 -2 -3 3 2 1 -2 -3
        -4 3 2 1 -3 -4 -5 5 3 2)
      (map floor-quotient ns ds))
(test
      '(-1 0 -1 1 0 3 -3 -1 -1 1 2 1 -2 0 0 0 0 2 -1 -2 -1 1 1 3 -2 -2 0 0 1
        2 0 0 0 0 0 0 -3 -2 -1 1 1 1 -3 -1 -1 1 2 1 -2 0 0 0 0 2 -1 -2 -1 1
        1 3 -2 -2 0 0 1 2)
      (map floor-remainder ns ds))
(test #t (every-same floor/ floor-quotient floor-remainder))
(test
      '(2 3 4 -4 -3 -2 2 2 4 -4 -2 -2 2 2 3 -3 -2 -2 1 2 2 -2 -2 -1 0 1 1 -1
        -1 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 -2 -2 2 2 1 -2 -2 -3 3 2 2 -2 -2 -4
        4 2 2 -2 -3 -5 5 3 2)
      (map round-quotient ns ds))
(test
      '(-1 0 -1 -1 0 -1 1 -1 1 1 -1 1 2 0 0 0 0 2 -1 1 -1 -1 1 -1 -2 1 0 0 1
        -2 0 0 0 0 0 0 1 1 1 1 1 1 1 -1 1 1 -1 1 -2 0 0 0 0 -2 -1 1 -1 -1 1
        -1 2 1 0 0 1 2)
      (map round-remainder ns ds))
(test #t (every-same round/ round-quotient round-remainder))
(test
      '(2 3 4 -4 -3 -2 1 2 3 -3 -2 -1 1 2 3 -3 -2 -1 1 1 2 -2 -1 -1 0 0 1 -1
        0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 -1 -2 2 1 1 -1 -2 -3 3 2 1 -1 -2 -3 3
        2 1 -2 -3 -5 5 3 2)
      (map truncate-quotient ns ds))
(test
      '(-1 0 -1 -1 0 -1 -3 -1 -1 -1 -1 -3 -2 0 0 0 0 -2 -1 -2 -1 -1 -2 -1 -2
        -2 0 0 -2 -2 0 0 0 0 0 0 1 1 1 1 1 1 1 2 1 1 2 1 2 0 0 0 0 2 3 1 1 1
        1 3 2 1 0 0 1 2)
      (map truncate-remainder ns ds))
(test #t (every-same truncate/ truncate-quotient truncate-remainder))
(test
      '(2 3 4 -4 -3 -2 2 2 3 -3 -2 -2 1 2 3 -3 -2 -1 1 2 2 -2 -2 -1 0 1 1 -1
        -1 0 0 0 0 0 0 0 0 0 -1 1 0 0 -1 -2 -3 3 2 1 -2 -2 -3 3 2 2 -2 -2 -4
        4 2 2 -3 -3 -5 5 3 3)
      (map balanced-quotient ns ds))
(test
      '(-1 0 -1 -1 0 -1 1 -1 -1 -1 -1 1 -2 0 0 0 0 -2 -1 1 -1 -1 1 -1 -2 1 0
        0 1 -2 0 0 0 0 0 0 1 1 -1 -1 1 1 1 -1 -1 -1 -1 1 -2 0 0 0 0 -2 -1 1
        -1 -1 1 -1 -2 1 0 0 1 -2)
      (map balanced-remainder ns ds))
(test #t (every-same balanced/ balanced-quotient balanced-remainder))
(test '(4000000000000000000000 -2.0)
      (list (round-quotient 8000000000000000000001 2)
            (balanced-remainder 6.0 4.0)))
(test-error (round/ 1 0))
(test-error (balanced-quotient 1 0))

(test-end)
(test-exit)
