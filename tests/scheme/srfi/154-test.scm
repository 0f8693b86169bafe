;;; SRFI 154.
(import (scheme base) (srfi 154) (chibi-bridge test))

(define p (make-parameter 1))
(define top (current-dynamic-extent))

(test-begin "srfi 154")

(test '(#t #f) (list (dynamic-extent? top) (dynamic-extent? p)))
(test '(1 2) (parameterize ((p 2))
               (let* ((a (with-dynamic-extent top p)) (b (p))) (list a b))))
(test 2 (with-dynamic-extent (parameterize ((p 2)) (current-dynamic-extent)) p))
(test '(1 2) (call-with-values
                 (lambda () (with-dynamic-extent top (lambda () (values 1 2))))
               list))
(define f (parameterize ((p 3)) (closed-lambda (x . y) (list (p) x y))))
(test '(3 1 (2)) (f 1 2))
;; The handlers are those of the extent; escapes run the winders of now.
(test '(outer boom)
      (guard (e (#t (list 'outer e)))
        (let ((extent (current-dynamic-extent)))
          (guard (e (#t (list 'inner e)))
            (with-dynamic-extent extent (lambda () (raise 'boom)))))))
(test '(before after out)
      (let ((log '()))
        (let ((v (call/cc
                  (lambda (k)
                    (dynamic-wind
                     (lambda () (set! log (cons 'before log)))
                     (lambda () (with-dynamic-extent top (lambda () (k 'out))))
                     (lambda () (set! log (cons 'after log))))))))
          (reverse (cons v log)))))

(test-end)
(test-exit)
