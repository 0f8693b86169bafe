;;; (srfi 99 records procedural).
(import (scheme base) (srfi 99 records procedural) (chibi-bridge test))

(test-begin "srfi 99 records procedural")

(define point (make-rtd 'point '#((mutable x) y)))
(define p ((rtd-constructor point) 1 2))

(test '(#t #t) (list (rtd? point) ((rtd-predicate point) p)))
(test 1 ((rtd-accessor point 'x) p))
(test 3 (begin ((rtd-mutator point 'x) p 3) ((rtd-accessor point 'x) p)))

(test-end)
(test-exit)
