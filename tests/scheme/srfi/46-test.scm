;;; SRFI 46.
(import (scheme base) (srfi 46)
        (chibi-bridge test))

(test-begin "srfi 46")

(define-syntax my-quote-let
  (syntax-rules ::: (in)
    ((my-quote-let (name value) ::: in body) '((name value) ::: body))))
(define-syntax last-of
  (syntax-rules ()
    ((_ first ... last) '(last first ...))))
(define-syntax in-vector
  (syntax-rules ()
    ((_ #(first ... last)) 'last)))
(define-syntax be-like-begin
  (syntax-rules ()
    ((_ name)
     (define-syntax name
       (syntax-rules ()
         ((_ expression (... ...)) (begin expression (... ...))))))))
(define-syntax flat
  (syntax-rules ()
    ((_ (a ...) ...) '(a ... ...))))
(be-like-begin sequence)

(test '((a 1) (b 2) c) (my-quote-let (a 1) (b 2) in c))
(test '(3 1 2) (last-of 1 2 3))
(test '(3) (last-of 3))
(test 'c (in-vector #(a b c)))
(test 4 (sequence 1 2 3 4))
(test '(1 2 3) (flat (1 2) () (3)))

(test-end)
(test-exit)
