;;; SRFI 210.
(import (scheme base) (only (srfi 195) box unbox) (srfi 210) (chibi-bridge test))

(define-syntax all (syntax-rules () ((_ e) (call-with-values (lambda () e) list))))
(define (two x) (values x (* 10 x)))

(test-begin "srfi 210")

(test '((a 1 2) (1) (a)) (list (list/mv 'a (values 1 2)) (list/mv 1) (list/mv 'a (values))))
(test '(#(a 1 2) (a 1)) (list (vector/mv 'a (values 1 2)) (all (unbox (box/mv 'a 1)))))
(test '(b a 2 0) (list (value/mv 1 'a (values 'b 'c)) (value/mv 0 'a (values)) (coarity (values 1 2)) (coarity (values))))
(test '((2 1) (1 (2 3)) (7 8)) (let ((a 1) (b 2))
                          (set!-values (a b) (values b a))
                          (let ((first (list a b)))
                            (set!-values (a . b) (values 1 2 3))
                            (let ((second (list a b)))
                              (set!-values b (values 7 8))
                              (list first second b)))))
(test '(3 two (many 1 2 3)) (list (with-values (values 1 2) +) (case-receive (values 1 2) ((a) 'one) ((a b) 'two))
                          (case-receive (values 1 2 3) ((a) 'one) (all (cons 'many all)))))
(test '((3) 55) (list (bind/mv (values 1 2) + list) (bind/mv 5 two +)))
(test '((1 2) (1 2) (1 2) b (1 2)) (list (all (list-values '(1 2))) (all (vector-values #(1 2))) (all (box-values (box 1 2)))
                                         (value 1 'a 'b) (all (identity 1 2))))
(test '(-3 (1 2) -3 (-1 -2)) (list ((compose-left + -) 1 2) (all ((compose-left) 1 2)) ((compose-right - +) 1 2)
                                   (all ((map-values -) 1 2))))
(test '(3 11 (5 50)) (list (bind/list '(1 2) +) (bind/box (box 1) two +) (bind 5 two list)))

(test-end)
(test-exit)
