;;; (chibi assert).
(import (scheme base) (chibi assert) (chibi-bridge test))

(define-syntax irritants
  (syntax-rules ()
    ((_ body) (guard (e (#t (error-object-irritants e))) body 'passed))))

(test-begin "assert")

(test 'passed (irritants (assert (= 1 1))))
(test '((= x (+ x 1)) (x 3)) (irritants (let ((x 3)) (assert (= x (+ x 1))))))
(test '((= x (+ y 1)) (x 3) (y 42))
      (irritants (let ((x 3) (y 42)) (assert (= x (+ y 1))))))
(test '((eq? x 'three) (x 3)) (irritants (let ((x 3)) (assert (eq? x 'three)))))
(test '((eq? x 'three) "expected three: " 3)
      (irritants (let ((x 3)) (assert (eq? x 'three) "expected three: " x))))
(test '(#f) (irritants (assert #f)))
(test '((let ((y 1)) (= y 2))) (irritants (assert (let ((y 1)) (= y 2)))))
(test '(((lambda (y) #f) 1)) (irritants (assert ((lambda (y) #f) 1))))
(test "assertion failed"
      (guard (e (#t (error-object-message e))) (assert (null? '(1)))))
;; The names of the macro's own parts do not get in the way.
(test '((= test known) (test 1) (known 2))
      (irritants (let ((test 1) (known 2)) (assert (= test known)))))

(test-end)
(test-exit)
