;;; SRFI 37.
(import (scheme base) (srfi 37) (chibi-bridge test))

(define (note option name argument seed) (cons (list name argument) seed))
(define a (option '(#\a "all") #f #f note))
(define r (option '(#\r "req") #t #f note))
(define o (option '(#\o "opt") #f #t note))
(define (run . arguments)
  (reverse (args-fold arguments (list a r o)
                      (lambda (option name argument seed) (cons (list 'unknown name argument (option-names option)) seed))
                      (lambda (operand seed) (cons operand seed))
                      '())))

(test-begin "srfi 37")

(test '(#t #f (#\a "all") #f #t #t) (list (option? a) (option? 1) (option-names a) (option-required-arg? a) (option-optional-arg? o)
                                        (eq? note (option-processor r))))
(test '() (run))
(test '((#\a #f) (#\a #f) "x" ("all" #f)) (run "-aa" "x" "--all"))
(test '((#\r "1") (#\r "2") ("req" "3") ("req" "4") ("req" #f)) (run "-r1" "-r" "2" "--req=3" "--req" "4" "--req"))
(test '((#\o "1") (#\o #f) "2" ("opt" "3") ("opt" #f) "4") (run "-o1" "-o" "2" "--opt=3" "--opt" "4"))
(test '((#\a #f) (#\r "x")) (run "-ar" "x"))
(test '("-" "-a" "--all") (run "-" "--" "-a" "--all"))
(test '((unknown #\z #f (#\z)) (unknown "zip" "1" ("zip"))) (run "-z" "--zip=1"))
(test '(3 (2 1)) (call-with-values
                  (lambda () (args-fold '("1" "2" "3") '() list (lambda (x n l) (values (+ n 1) (if (= n 2) l (cons (+ n 1) l)))) 0 '()))
                  list))

(test-end)
(test-exit)
