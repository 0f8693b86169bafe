;; R7RS-small: clocks. The host answers, by its policy: (current-second) real
;; seconds since 1970, (current-jiffy) nanoseconds.
(define-library (scheme time)
  (export current-jiffy current-second jiffies-per-second)
  (import (scheme base) (only (%core) %host-call))
  (include "time.scm"))
