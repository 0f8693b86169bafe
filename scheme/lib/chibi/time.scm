;;; (chibi time), the body.

(define-record-type timeval
  (make-timeval seconds microseconds)
  timeval?
  (seconds timeval-seconds)
  (microseconds timeval-microseconds))

(define-record-type timezone
  (make-timezone offset dst-time)
  timezone?
  (offset timezone-offset)
  (dst-time timezone-dst-time))

;;> (make-timeval seconds microseconds), (timeval? object), (timeval-seconds timeval),
;;> (timeval-microseconds timeval)
;;> Moments: seconds since 1970, and a part of one. (timeval-seconds (make-timeval 1 2)) => 1
;;> (timezone? object), (timezone-offset zone), (timezone-dst-time zone)
;;> Zones: minutes west of UTC, and whether summer time is known; both 0 here.

(define-record-type tm
  (%make-tm second minute hour day month year day-of-week day-of-year dst?)
  tm?
  (second time-second)
  (minute time-minute)
  (hour time-hour)
  (day time-day)
  (month time-month)
  (year time-year)
  (day-of-week time-day-of-week)
  (day-of-year time-day-of-year)
  (dst? time-dst?))

;;> (tm? object), (time-second tm), (time-minute tm), (time-hour tm), (time-day tm),
;;> (time-month tm), (time-year tm), (time-day-of-week tm), (time-day-of-year tm),
;;> (time-dst? tm)
;;> The parts of a time, counted as in C: months and days of the year from 0 on, years
;;> from 1900, Sunday is 0. (time-year (seconds->time 0)) => 70

(define (date->tm date)
  (%make-tm (d:date-second date) (d:date-minute date) (d:date-hour date)
            (d:date-day date) (- (d:date-month date) 1)
            (- (d:date-year date) 1900) (d:date-week-day date)
            (- (d:date-year-day date) 1) #f))

(define (tm->date tm)
  (d:make-date 0 (time-second tm) (time-minute tm) (time-hour tm) (time-day tm)
               (+ 1 (time-month tm)) (+ 1900 (time-year tm)) 0))

;;> (make-tm second minute hour day month year dst?)
;;> Return a time. (time->seconds (make-tm 1 0 0 1 0 70 #f)) => 1
(define (make-tm second minute hour day month year dst?)
  (date->tm (d:make-date 0 second minute hour day (+ 1 month) (+ 1900 year) 0)))

;;> (current-seconds)
;;> Return the seconds since 1970, an integer. (exact-integer? (current-seconds)) => #t
(define (current-seconds) (exact (floor (current-second))))

;;> (get-time-of-day)
;;> Return the list of the timeval of now and the timezone.
;;> (timeval? (car (get-time-of-day))) => #t
(define (get-time-of-day)
  (let ((now (exact (floor (* 1000000 (exact (current-second)))))))
    (list (make-timeval (quotient now 1000000) (remainder now 1000000))
          (make-timezone 0 0))))

;;> (seconds->time seconds), (time->seconds tm)
;;> Convert between seconds since 1970 and times.
;;> (time-hour (seconds->time 7200)) => 2
(define (seconds->time seconds)
  (date->tm (d:time-utc->date
             (d:make-time d:time-utc 0 (exact (floor seconds))))))
(define (time->seconds tm) (d:time-second (d:date->time-utc (tm->date tm))))

;;> (time->string tm), (seconds->string seconds)
;;> Return the text as C's asctime has it. (seconds->string 0) => "Thu Jan  1 00:00:00 1970\n"
(define (time->string tm)
  (d:date->string (tm->date tm) "~a ~b ~e ~H:~M:~S ~Y\n"))
(define (seconds->string seconds) (time->string (seconds->time seconds)))

;;> resource-usage/self, resource-usage/children
;;> What get-resource-usage would be asked for. resource-usage/self => 0
(define resource-usage/self 0)
(define resource-usage/children -1)

;;> (set-time-of-day! timeval [zone]), (get-resource-usage who), (rusage? object), ...
;;> Not available: they raise.
(define-unavailable set-clock set-time-of-day!)
(define-unavailable resource-usage
  rusage? get-resource-usage resource-usage-time resource-usage-system-time
  resource-usage-max-rss)
