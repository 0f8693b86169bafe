;;; (srfi 99 records inspection), of a type that R7RS's form defines.
(import (scheme base) (srfi 99 records inspection) (chibi-bridge test))

(test-begin "srfi 99 records inspection")

(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(define p (make-point 1 2))

(test '(#t #f) (list (record? p) (record? 1)))
(test #t (eq? point (record-rtd p)))
(test '(point #f) (list (rtd-name point) (rtd-parent point)))
(test '(#(x y) #(x y)) (list (rtd-field-names point) (rtd-all-field-names point)))
(test #t (rtd-field-mutable? point 'x))

(test-end)
(test-exit)
