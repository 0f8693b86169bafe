;;; (chibi ast): what has a meaning here.
(import (except (scheme base) procedure?) (chibi ast) (chibi-bridge test))

(test-begin "ast")

(define e (guard (e (#t e)) (error "m" 1 2)))
(test '(#t #f "m" (1 2)) (list (exception? e) (exception? 1) (exception-message e) (exception-irritants e)))
(test '(#t #f 1) (list (procedure? car) (procedure? 1) (string-contains "abc" "bc")))
(test-error (analyze '(f x)))
(test-error (type-of 1))

(test-end)
(test-exit)
