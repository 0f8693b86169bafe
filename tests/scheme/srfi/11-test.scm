;;; SRFI 11.
(import (scheme base) (srfi 11)
        (chibi-bridge test))

(test-begin "srfi 11")

(test '(1 2 3 (4 5))
      (let-values (((a b) (values 1 2)) ((c . d) (values 3 4 5)))
        (list a b c d)))
(test '(x y a b)
      (let ((a 'a) (b 'b) (x 'x) (y 'y))
        (let-values (((a b) (values x y)) ((x y) (values a b)))
          (list a b x y))))
(test '(x y x y)
      (let ((a 'a) (b 'b) (x 'x) (y 'y))
        (let*-values (((a b) (values x y)) ((x y) (values a b)))
          (list a b x y))))
(test '(1 2) (let-values ((all (values 1 2))) all))
(test-error (let-values (((a) (values 1 2))) a))

(test-end)
(test-exit)
