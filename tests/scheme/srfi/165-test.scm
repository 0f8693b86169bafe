;;; SRFI 165.
(import (scheme base) (srfi 165) (chibi-bridge test))

(define x (make-computation-environment-variable 'x 1 #f))
(define fixed (make-computation-environment-variable 'fixed 5 #t))
(define-computation-type make-env run (a 10) (b 20 "immutable") c)
(define (get v) (computation-fn ((y v)) (computation-pure y)))

(test-begin "srfi 165")

(test-group "environments"
  (let* ((e (make-computation-environment)) (f (computation-environment-update e x 2 fixed 6)) (g (computation-environment-copy f)))
    (computation-environment-update! g x 3)
    (test '(1 2 6 3) (list (computation-environment-ref e x) (computation-environment-ref f x)
                           (computation-environment-ref f fixed) (computation-environment-ref g x)))
    (computation-environment-update! e x 9)
    (test 9 (computation-environment-ref e x))
    (test-error (computation-environment-update! e fixed 1))))

(test-group "computations"
  (test '(1 2 (1 2)) (list (computation-run (computation-pure 1)) (computation-run (computation-each (computation-pure 1) (computation-pure 2)))
                           (computation-run (computation-sequence (map computation-pure '(1 2))))))
  (test 3 (computation-run (computation-each-in-list (map computation-pure '(1 2 3)))))
  (test 6 (computation-run (computation-bind (computation-pure 1 2) (lambda (a b) (computation-pure (+ a b)))
                                             (lambda (s) (computation-pure (* 2 s))))))
  (test 7 (computation-run (make-computation (lambda (compute) (+ (compute (computation-pure 3)) (compute (computation-pure 4)))))))
  (test '(1 8) (list (computation-run (get x))
                     (computation-run (computation-local (lambda (e) (computation-environment-update e x 8)) (get x)))))
  (test 1 (computation-environment-ref (computation-run (computation-ask)) x))
  (test '(4 1) (computation-run (computation-bind (computation-with ((x 4)) (get x))
                                                  (lambda (in) (computation-fn (x) (computation-pure (list in x)))))))
  (test 4 (computation-run (computation-each (computation-with! (x 4)) (get x))))
  (test 1 (computation-run (computation-forked (computation-with! (x 4)) (get x))))
  (test '(4 1) (computation-run (computation-bind/forked (computation-each (computation-with! (x 4)) (get x))
                                                         (lambda (v) (computation-fn ((x)) (computation-pure (list v x)))))))
  (test-error (computation-run 1))
  (test 1 (computation-run (computation-with ((default-computation computation-pure)) 1))))

(test-group "types"
  (test '(10 20 #f) (run (computation-fn (a b c) (computation-pure (list a b c)))))
  (test 10 (computation-environment-ref (make-env) a))
  (test-error (run (computation-with! (b 1)))))

(test-end)
(test-exit)
