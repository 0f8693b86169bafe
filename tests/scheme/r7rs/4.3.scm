;;; R7RS 4.3 Macros.
(import (scheme base) (chibi-bridge test))

(test-begin "4.3 Macros")

(test 'now (let-syntax ((given-that (syntax-rules ()
                                      ((_ test stmt1 stmt2 ...)
                                       (if test (begin stmt1 stmt2 ...))))))
             (let ((if #t)) (given-that if (set! if 'now)) if)))
(test 'outer (let ((x 'outer))
               (let-syntax ((m (syntax-rules () ((m) x))))
                 (let ((x 'inner)) (m)))))
(test 7 (letrec-syntax
            ((my-or (syntax-rules ()
                      ((my-or) #f)
                      ((my-or e) e)
                      ((my-or e1 e2 ...)
                       (let ((temp e1)) (if temp temp (my-or e2 ...)))))))
          (let ((x #f) (y 7) (temp 8) (let odd?) (if even?))
            (my-or x (let temp) (if y) y))))
(define-syntax be-like-begin
  (syntax-rules ()
    ((be-like-begin name)
     (define-syntax name
       (syntax-rules ()
         ((name expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(test 4 (sequence 1 2 3 4))
(test 'ok (let ((=> #f)) (cond (#t => 'ok))))
(define-syntax swap!
  (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(test '(2 1) (let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)))
(define-syntax my-let
  (syntax-rules () ((_ ((n v) ...) . body) ((lambda (n ...) . body) v ...))))
(test 3 (my-let ((a 1) (b 2)) (+ a b)))
(define-syntax tail-pattern
  (syntax-rules () ((_ a ... y z) '((a ...) y z))))
(test '((1 2) 3 4) (tail-pattern 1 2 3 4))
(test '(() 1 2) (tail-pattern 1 2))
(define-syntax dotted
  (syntax-rules () ((_ a b ... . c) '(a (b ...) c))))
(test '(1 (2) 3) (dotted 1 2 . 3))
(define-syntax vec
  (syntax-rules () ((_ #(a b ...)) (list a '#(b ...)))))
(test '(1 #(2 3)) (vec #(1 2 3)))
(define-syntax nested
  (syntax-rules () ((_ ((n v ...) ...)) '((n (v ...)) ...))))
(test '((a (1 2)) (b ())) (nested ((a 1 2) (b))))
(define-syntax my-ellipsis
  (syntax-rules ::: () ((_ (a b :::) :::) '((b ::: a) :::))))
(test '((2 3 1) (4)) (my-ellipsis (1 2 3) (4)))
(define-syntax literal?
  (syntax-rules (else) ((_ else) 'yes) ((_ x) 'no)))
(test '(yes no) (list (literal? else) (let ((else 1)) (literal? else))))
(define-syntax underscore
  (syntax-rules () ((_ (a _) ...) '(a ...))))
(test '(1 3) (underscore (1 2) (3 4)))
(define-syntax flatten-two
  (syntax-rules () ((_ (a ...) ...) '(a ... ...))))
(test '(1 2 3) (flatten-two (1 2) (3)))
(define-syntax while
  (syntax-rules ()
    ((_ condition body ...)
     (let loop () (when condition body ... (loop))))))
(test 5 (let ((i 0)) (while (< i 5) (set! i (+ i 1))) i))
(define-syntax define-two
  (syntax-rules () ((_ a b v) (begin (define a v) (define b v)))))
(define-two one-a one-b 1)
(test 2 (+ one-a one-b))
(test 6 (let () (define-two a b 3) (+ a b)))

(test-end)
(test-exit)
