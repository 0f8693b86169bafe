;;; SRFI 34.
(import (except (scheme base) with-exception-handler guard raise else =>) (srfi 34) (chibi-bridge test))

(test-begin "srfi 34")

(test 42 (call/cc (lambda (k) (with-exception-handler (lambda (e) (k 42)) (lambda () (+ 1 (raise 'an-error)))))))
(test '(positive (caught a) other 23 (a . 42))
      (list (guard (c ((> c 0) 'positive)) (raise 1))
            (guard (c ((symbol? c) (list 'caught c))) (raise 'a))
            (guard (c (else 'other)) (raise 1))
            (guard (c ((assq 'b c)) ((assq 'a c) => cdr)) (raise (list (cons 'a 23))))
            (guard (c ((assq 'a c))) (raise (list (cons 'a 42))))))
(test 'outer (guard (c (#t 'outer)) (guard (c ((number? c) 'inner)) (raise 'x))))

(test-end)
(test-exit)
