;;; SRFI 188.
(import (scheme base) (srfi 188)
        (chibi-bridge test))

;; At the top level.
(splicing-let-syntax ((twice (syntax-rules () ((_ x) (* 2 x)))))
  (define six (twice 3))
  (define (eight) (twice 4)))

(splicing-letrec-syntax ((my-or (syntax-rules ()
                                  ((_) #f)
                                  ((_ e) e)
                                  ((_ e f ...) (let ((t e)) (if t t (my-or f ...)))))))
  (define (first-of a b) (my-or a #f b)))

(splicing-let-syntax ()
  (define plain 1))

(test-begin "srfi 188")

(test '(6 8) (list six (eight)))
(test '(1 2) (list (first-of 1 2) (first-of #f 2)))
(test 1 plain)

;; As an expression.
(test '(4 (4)) (list (splicing-let-syntax ((twice (syntax-rules () ((_ x) (* 2 x)))))
                       (twice 2))
                     (splicing-letrec-syntax ((l (syntax-rules () ((_ x) (list x)))))
                       (define y 4)
                       (l y))))

;; A macro of the top level that goes by a keyword keeps doing so.
(splicing-let-syntax ((helper (syntax-rules () ((_ x) (list 'help x)))))
  (define-syntax helped (syntax-rules () ((_ x) (helper x)))))
(test '(help 1) (helped 1))

;; In a body; the keywords mean nothing outside.
(test '(10 (twice))
      (let ((twice (lambda (x) '(twice))))
        (splicing-let-syntax ((twice (syntax-rules () ((_ x) (* 2 x)))))
          (define ten (twice 5)))
        (list ten (twice 5))))
(test '(1 2)
      (let ()
        (splicing-let-syntax ((def (syntax-rules () ((_ n v) (define n v)))))
          (def a 1)
          (def b 2))
        (list a b)))
;; let: the transformer does not see the keyword; letrec: it does.
(test '(outer inner)
      (let-syntax ((f (syntax-rules () ((_) 'outer))))
        (splicing-let-syntax ((f (syntax-rules () ((_ x) (f)))))
          (define a (f 1)))
        (splicing-letrec-syntax ((f (syntax-rules () ((_) 'inner) ((_ x) (f)))))
          (define b (f 1)))
        (list a b)))
;; Macros with ellipses inside.
(test '(3 2 1)
      (let ()
        (splicing-let-syntax ((backward (syntax-rules ()
                                          ((_ x ...) (reverse (list x ...))))))
          (define-syntax count-to-three
            (syntax-rules () ((_ y ...) (backward y ...))))
          (define l (count-to-three 1 2 3)))
        l))

(test-end)
(test-exit)
