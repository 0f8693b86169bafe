;;; (scheme time), the body.

;;> (current-second)
;;> Return the seconds since the beginning of 1970, an inexact number.
(define (current-second) (inexact (%host-call 'current-second)))

;;> (current-jiffy)
;;> Return the jiffies since an arbitrary moment, an exact integer.
(define (current-jiffy) (%host-call 'current-jiffy))

;;> (jiffies-per-second)
;;> Return the number of jiffies in a second. (jiffies-per-second) => 1000000000
(define (jiffies-per-second) 1000000000)
