;;; SRFI 45.
(import (scheme base) (only (scheme lazy) promise?) (srfi 45)
        (chibi-bridge test))

(test-begin "srfi 45")

(define (stream-from n) (delay (cons n (stream-from (+ n 1)))))
(define (drop-to stream n)
  (lazy (let ((pair (force stream)))
          (if (= (car pair) n) stream (drop-to (cdr pair) n)))))
(define (loop-down n) (if (= n 0) (lazy (delay 'end)) (lazy (loop-down (- n 1)))))

(test 3 (force (lazy (delay 3))))
(test 3 (force (eager 3)))
(test #t (promise? (force (eager (delay 3)))))
(test 2000 (car (force (drop-to (stream-from 0) 2000))))
(test 'end (force (loop-down 20000)))

(define count 0)
(define p (delay (begin (set! count (+ count 1))
                        (if (> count x) count (force p)))))
(define x 5)
(test 6 (force p))
(test 6 (begin (set! x 10) (force p)))

(define q (let ((first? #t))
            (delay (if first? (begin (set! first? #f) (force q)) 'second))))
(test 'second (force q))

(test-end)
(test-exit)
