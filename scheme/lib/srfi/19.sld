;; SRFI 19: times and dates. The host says what time it is; the zone of this place is
;; taken to be UTC, since a program is not told where it runs. Monotonic time is TAI.
;; Years go on through 0 into the negative (year 0 is the one before year 1).
(define-library (srfi 19)
  (export
   ;; kinds of time
   time-duration time-monotonic time-process time-tai time-thread time-utc
   ;; now
   current-date current-julian-day current-modified-julian-day current-time
   time-resolution
   ;; times
   make-time time? time-type time-nanosecond time-second set-time-type!
   set-time-nanosecond! set-time-second! copy-time
   time<=? time<? time=? time>=? time>?
   time-difference time-difference! add-duration add-duration!
   subtract-duration subtract-duration!
   ;; dates
   make-date date? date-nanosecond date-second date-minute date-hour date-day
   date-month date-year date-zone-offset date-year-day date-week-day
   date-week-number
   ;; conversion
   date->julian-day date->modified-julian-day date->time-monotonic
   date->time-tai date->time-utc
   julian-day->date julian-day->time-monotonic julian-day->time-tai
   julian-day->time-utc
   modified-julian-day->date modified-julian-day->time-monotonic
   modified-julian-day->time-tai modified-julian-day->time-utc
   time-monotonic->date time-monotonic->julian-day
   time-monotonic->modified-julian-day time-monotonic->time-tai
   time-monotonic->time-tai! time-monotonic->time-utc
   time-monotonic->time-utc!
   time-tai->date time-tai->julian-day time-tai->modified-julian-day
   time-tai->time-monotonic time-tai->time-monotonic! time-tai->time-utc
   time-tai->time-utc!
   time-utc->date time-utc->julian-day time-utc->modified-julian-day
   time-utc->time-monotonic time-utc->time-monotonic! time-utc->time-tai
   time-utc->time-tai!
   ;; text
   date->string string->date)
  (import (scheme base) (scheme char) (scheme cxr) (only (%core) %host-call))
  (include "19.scm"))
