;; Times of the day, with chibi's names. The zone of this place is taken to be UTC.
(define-library (chibi time)
  (export
   current-seconds get-time-of-day set-time-of-day!
   seconds->time seconds->string time->seconds time->string
   make-timeval timeval? timeval-seconds timeval-microseconds
   timezone? timezone-offset timezone-dst-time
   make-tm tm? time-second time-minute time-hour time-day time-month time-year
   time-day-of-week time-day-of-year time-dst?
   rusage? get-resource-usage resource-usage/self resource-usage/children
   resource-usage-time resource-usage-system-time resource-usage-max-rss)
  (import (scheme base) (only (scheme time) current-second)
          (prefix (srfi 19) d:) (chibi-bridge unavailable))
  (include "time.scm"))
