;;; SRFI 229.
(import (scheme base) (srfi 229) (chibi-bridge test))

(test-begin "srfi 229")

(define f (lambda/tag 'id (x . y) (list x y)))
(define g (case-lambda/tag (+ 1 2) ((x) 'one) ((x y) 'two)))
(test '((1 (2)) one two) (list (f 1 2) (g 1) (g 1 2)))
(test '(id 3) (list (procedure-tag f) (procedure-tag g)))
(test '(#t #t #f #f) (map procedure/tag? (list f g car 'f)))
(test-error (procedure-tag car))
(test-error (procedure-tag 5))
(test #t (procedure? f))
;; Each evaluation makes a procedure of its own, also without free variables.
(define (make tag) (lambda/tag tag () 'same))
(test '(1 2) (let ((a (make 1)) (b (make 2)))
               (list (procedure-tag a) (procedure-tag b))))
(test 'last (let loop ((i 0) (p #f))
              (if (= i 1000)
                  (procedure-tag p)
                  (loop (+ i 1) (make (if (= i 999) 'last i))))))

(test-end)
(test-exit)
