;;; SRFI 145.
(import (scheme base) (srfi 145) (chibi-bridge test))

(test-begin "srfi 145")

(test 3 (assume (+ 1 2)))
(test '("invalid assumption" (= 1 2))
      (guard (e (#t (cons (error-object-message e) (error-object-irritants e))))
        (assume (= 1 2))))
(test '("not so" #f 5)
      (guard (e (#t (cons (error-object-message e) (error-object-irritants e))))
        (assume #f "not so" (+ 2 3))))
(test '("invalid assumption" #f x)
      (guard (e (#t (cons (error-object-message e) (error-object-irritants e))))
        (assume #f 'x)))

(test-end)
(test-exit)
