;;; (srfi 146 vector-edit).
(import (scheme base) (srfi 146 vector-edit) (chibi-bridge test))

(test-begin "srfi 146 vector-edit")

(test '(#(a d) #() #(a b)) (list (vector-without #(a b c d) 1 3) (vector-without #(a) 0 1)
                                 (vector-without #(a b) 1 1)))
(define v (vector 'a 'b))
(test '(#(a c) #(a b)) (list (vector-replace-one v 1 'c) v))
(test '(#(x a b) #(a x b y) #(b) #(a x) #(a b))
      (list (vector-edit v (add 0 'x)) (vector-edit v (add 1 'x) (add 2 'y)) (vector-edit v (drop 0 1))
            (vector-edit v (add 1 'x) (drop 1 1)) (vector-edit v)))
(test #(0 4 5 x) (vector-edit #(0 1 2 3 4 5) (drop 1 3) (add 6 'x)))
(test-error (vector-edit v (drop 1 9)))

(test-end)
(test-exit)
