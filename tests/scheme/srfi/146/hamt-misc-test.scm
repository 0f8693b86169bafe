;;; (srfi 146 hamt-misc).
(import (scheme base) (only (srfi 125) hash-table-set! hash-table-ref/default)
        (srfi 146 hamt-misc) (chibi-bridge test))

(test-begin "srfi 146 hamt-misc")

(test #t (assert (= 1 1)))
(test-error (assert (= 1 2)))
(test '(3 2) (let ((sum 0) (n 0))
               (do-list (x '(a b)) (set! n (+ n 1)))
               (list (do-list (x '(1 2) sum) (set! sum (+ sum x))) n)))
(test '(1 #f) (let ((t (make-string-hash-table)))
                (hash-table-set! t (string #\a) 1)
                (list (hash-table-ref/default t "a" #f) (hash-table-ref/default t "b" #f))))
(test "ab" (with-output-to-string (lambda () (write-string "ab"))))

(test-end)
(test-exit)
