;; Clocks of the host. As in tein, jiffies-per-second is a number here; the
;; procedure of R7RS is in (scheme time).
(define-library (tein time)
  (export current-second current-jiffy jiffies-per-second
          timezone-offset-seconds)
  (import (scheme base) (only (scheme time) current-second current-jiffy)
          (only (%core) %host-call))
  (include "time.scm"))
