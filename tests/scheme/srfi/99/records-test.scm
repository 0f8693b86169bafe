;;; (srfi 99 records).
(import (except (scheme base) define-record-type) (srfi 99 records)
        (chibi-bridge test))

(test-begin "srfi 99 records")

(define point (make-rtd 'point '#((mutable x) y)))
(define p ((rtd-constructor point) 1 2))
(define-record-type pare #t #t kar)

(test '(#t #t #t) (list (rtd? point) ((rtd-predicate point) p) (record? p)))
(test 1 ((rtd-accessor point 'x) p))
(test 3 (begin ((rtd-mutator point 'x) p 3) ((rtd-accessor point 'x) p)))
(test #t (eq? point (record-rtd p)))
(test '(point #f) (list (rtd-name point) (rtd-parent point)))
(test '(#(x y) #(x y)) (list (rtd-field-names point) (rtd-all-field-names point)))
(test #t (rtd-field-mutable? point 'x))
(test 1 (pare-kar (make-pare 1)))

(test-end)
(test-exit)
