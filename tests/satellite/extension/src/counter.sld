;; Shared by the entries: each sees what the others counted.
(define-library (counter)
  (export count!)
  (import (scheme base))
  (begin
    (define n 0)
    (define (count!) (set! n (+ n 1)) n)))
