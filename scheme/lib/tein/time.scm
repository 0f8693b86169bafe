;;; (tein time), the body.

;;> jiffies-per-second
;;> How many jiffies a second has: they are nanoseconds.
(define jiffies-per-second 1000000000)

;;> (timezone-offset-seconds)
;;> Return how far the local time is ahead of UTC now, in seconds.
(define (timezone-offset-seconds . rest) (%host-call 'timezone-offset))
