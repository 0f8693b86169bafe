;;; (chibi-bridge ieee).
(import (scheme base) (scheme inexact) (chibi-bridge ieee) (chibi-bridge test))

(test-begin "ieee")

(define singles
  '((0.0 . 0) (-0.0 . #x80000000) (1.0 . #x3f800000) (-2.5 . #xc0200000)
    (3.40282346638528860e+38 . #x7f7fffff) (+inf.0 . #x7f800000)
    (-inf.0 . #xff800000) (1.40129846432481707e-45 . 1)
    (1.1754943508222875e-38 . #x00800000) (1.1754942106924411e-38 . #x007fffff)))
(for-each (lambda (pair)
            (test (cdr pair) (flonum->single-bits (car pair)))
            (test #t (eqv? (car pair) (single-bits->flonum (cdr pair)))))
          singles)
;; Rounding: to the nearest, a tie to even, beyond the largest to infinity.
(test #x3eaaaaab (flonum->single-bits (/ 1. 3)))
(test #x4b800000 (flonum->single-bits 16777217.))
(test #x4b800002 (flonum->single-bits 16777219.))
(test #x7f800000 (flonum->single-bits 1e39))
(test 0 (flonum->single-bits 1e-50))
(test #x7fc00000 (flonum->single-bits +nan.0))
(test #t (nan? (single-bits->flonum #x7fc00000)))
(for-each (lambda (pair)
            (test (cdr pair) (flonum->half-bits (car pair)))
            (test #t (eqv? (car pair) (half-bits->flonum (cdr pair)))))
          '((1.0 . #x3c00) (65504.0 . #x7bff) (-2.0 . #xc000)
            (5.960464477539063e-8 . 1) (+inf.0 . #x7c00)))
(test #x7c00 (flonum->half-bits 65520.0))
(for-each (lambda (x) (test #t (eqv? x (double-bits->flonum
                                        (flonum->double-bits x)))))
          '(0.0 -0.0 1.5 -1e300 5e-324 +inf.0))
(test #x3ff8000000000000 (flonum->double-bits 1.5))
(test #xbff8000000000000 (flonum->double-bits -1.5))
(test #x3ff8000000000000 (flonum->bits 1.5 11 52))
(test 1.5 (bits->flonum #x3ff8000000000000 11 52))

(test-end)
(test-exit)
