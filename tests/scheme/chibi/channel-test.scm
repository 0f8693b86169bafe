;;; (chibi channel).
(import (scheme base) (srfi 18) (chibi channel) (chibi-bridge test))

(test-begin "channel")

(define c (make-channel))
(test '(#t #f #t) (list (channel? c) (channel? 1) (channel-empty? c)))
(channel-send! c 1)
(channel-send! c 2)
(test #f (channel-empty? c))
(test '(1 2 #t) (let* ((a (channel-receive! c)) (b (channel-receive! c)))
                  (list a b (channel-empty? c))))
;; One thread waits for another.
(define sum
  (thread-start!
   (make-thread
    (lambda ()
      (let loop ((sum 0))
        (let ((n (channel-receive! c)))
          (if n (loop (+ sum n)) sum)))))))
(do ((i 1 (+ i 1))) ((> i 100)) (channel-send! c i))
(channel-send! c #f)
(test 5050 (thread-join! sum))

(test-end)
(test-exit)
