;;; R7RS 6.11 Exceptions.
(import (scheme base) (scheme read) (chibi-bridge test))

(test-begin "6.11 Exceptions")

(test '(condition an-error)
      (call/cc
       (lambda (k)
         (with-exception-handler
          (lambda (e) (k (list 'condition e)))
          (lambda () (+ 1 (raise 'an-error)))))))
(test 65 (with-exception-handler
          (lambda (con) 42)
          (lambda () (+ (raise-continuable "should be a number") 23))))
(test 'secondary
      (guard (e (#t 'secondary))
        (with-exception-handler (lambda (e) 'ignored)
                                (lambda () (raise 'oops) 'resumed))))
(test '(outer (inner x))
      (guard (e (#t (list 'outer e)))
        (with-exception-handler (lambda (e) (raise (list 'inner e)))
                                (lambda () (raise 'x)))))
(test '("BOOM!" (1 "two" three))
      (guard (e ((error-object? e)
                 (list (error-object-message e) (error-object-irritants e))))
        (error "BOOM!" 1 "two" 'three)))
(test #f (error-object? 'x))
(test '(wrong #t) (guard (e ((error-object? e) (list 'wrong (string? (error-object-message e)))))
                    (car 5)))
(test #t (guard (e (#t (error-object? e))) (vector-ref #(1) 9)))
(test #t (guard (e (#t (error-object? e))) (undefined-variable-of-this-test)))
(test #t (guard (e (#t (error-object? e))) ((lambda (x) x))))
(test #t (guard (e (#t (error-object? e))) (/ 1 0)))
(test #t (guard (e (#t (read-error? e))) (read (open-input-string "(1 . "))))
(test #f (guard (e (#t (read-error? e))) (car 5)))
(test #f (guard (e (#t (file-error? e))) (error "x")))
(test 3 (with-exception-handler
         (lambda (e) 1)
         (lambda ()
           (with-exception-handler
            (lambda (e) (+ 1 (raise-continuable e)))
            (lambda () (+ 1 (raise-continuable 'x)))))))
(test-error (with-exception-handler 5 (lambda () 1)))
(test-error (with-exception-handler (lambda (e) 1)))
(test 1 (let ((p (make-parameter 1)))
          (guard (e (#t (p)))
            (parameterize ((p 2))
              (guard (e ((number? e) 'no)) (raise 'boom))))))
(test 'ok (let loop ((i 0))
            (if (= i 20000)
                'ok
                (begin (guard (e (#t #f)) (raise i)) (loop (+ i 1))))))
(test '(a b)
      (let ((log '()))
        (guard (e (#t #f))
          (with-exception-handler
           (lambda (e) (set! log (cons 'b log)) (raise e))
           (lambda ()
             (set! log (cons 'a log))
             (raise 'x))))
        (reverse log)))

(test-end)
(test-exit)
