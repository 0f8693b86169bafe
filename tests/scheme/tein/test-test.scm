;;; (tein test).
(import (scheme base)
        (prefix (tein test) tein:)
        (chibi-bridge test))

(define (complaint thunk)
  (guard (e (#t (list (error-object-message e) (error-object-irritants e))))
    (thunk)
    'passed))

(test-begin "test")

(test 'passed (complaint (lambda () (tein:test-equal "n" '(1) (list 1)))))
(test '("FAIL n: expected " (1 " got " 2))
      (complaint (lambda () (tein:test-equal "n" 1 2))))
(test 'passed (complaint (lambda () (tein:test-true "n" 0))))
(test '("FAIL n: expected a true value, got " (#f))
      (complaint (lambda () (tein:test-true "n" #f))))
(test 'passed (complaint (lambda () (tein:test-false "n" #f))))
(test '("FAIL n: expected #f, got " (0))
      (complaint (lambda () (tein:test-false 'n 0))))
(test 'passed
      (complaint (lambda () (tein:test-error "n" (lambda () (raise 1))))))
(test '("FAIL n: expected an error" ())
      (complaint (lambda () (tein:test-error "n" (lambda () 1)))))

(test-end)
(test-exit)
