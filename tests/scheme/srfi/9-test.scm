;;; SRFI 9.
(import (scheme base) (srfi 9) (chibi-bridge test))

(test-begin "srfi 9")

(define-record-type pare
  (kons x y)
  pare?
  (x kar set-kar!)
  (y kdr))
(define-record-type <empty> (make-empty) empty?)

(test #t (pare? (kons 1 2)))
(test #f (pare? (cons 1 2)))
(test #f (pare? (make-empty)))
(test #t (empty? (make-empty)))
(test 1 (kar (kons 1 2)))
(test 2 (kdr (kons 1 2)))
(test 3 (let ((k (kons 1 2))) (set-kar! k 3) (kar k)))
(test-error (kar 5))

(test-end)
(test-exit)
