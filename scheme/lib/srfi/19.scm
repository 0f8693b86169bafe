;;; SRFI 19, the body. Inside, a moment is an exact number of nanoseconds since the
;;; beginning of 1970.

(define billion 1000000000)
(define day-seconds 86400)

(define-record-type time
  (%make-time type nanosecond second)
  time?
  (type time-type %set-time-type!)
  (nanosecond time-nanosecond %set-time-nanosecond!)
  (second time-second %set-time-second!))

(define-record-type date
  (%make-date nanosecond second minute hour day month year zone-offset)
  date?
  (nanosecond date-nanosecond)
  (second date-second)
  (minute date-minute)
  (hour date-hour)
  (day date-day)
  (month date-month)
  (year date-year)
  (zone-offset date-zone-offset))

(define (fail who text object)
  (error (string-append (symbol->string who) ": " text) object))

(define (check who test text object)
  (if (not (test object)) (fail who text object)))

;;> time-utc, time-tai, time-monotonic, time-duration, time-process, time-thread
;;> The kinds of time. (time-type (make-time time-utc 0 1)) => time-utc
(define time-duration 'time-duration)
(define time-monotonic 'time-monotonic)
(define time-process 'time-process)
(define time-tai 'time-tai)
(define time-thread 'time-thread)
(define time-utc 'time-utc)

(define (time-type? object)
  (memq object '(time-utc time-tai time-monotonic time-duration time-process
                          time-thread)))

;; -- times ---------------------------------------------------------------------

;;> (make-time type nanosecond second)
;;> Return a new time. (time-second (make-time time-utc 5 7)) => 7
(define (make-time type nanosecond second)
  (check 'make-time time-type? "not a kind of time" type)
  (check 'make-time exact-integer? "not an exact integer" nanosecond)
  (check 'make-time exact-integer? "not an exact integer" second)
  (%make-time type nanosecond second))

;;> (time? object), (time-type time), (time-nanosecond time), (time-second time)
;;> Is OBJECT a time? Its parts. (time-nanosecond (make-time time-utc 5 7)) => 5

;;> (set-time-type! time type), (set-time-nanosecond! time n),
;;> (set-time-second! time n)
;;> Change a part of TIME.
(define (set-time-type! time type)
  (check 'set-time-type! time-type? "not a kind of time" type)
  (%set-time-type! time type))
(define (set-time-nanosecond! time nanosecond)
  (check 'set-time-nanosecond! exact-integer? "not an exact integer" nanosecond)
  (%set-time-nanosecond! time nanosecond))
(define (set-time-second! time second)
  (check 'set-time-second! exact-integer? "not an exact integer" second)
  (%set-time-second! time second))

;;> (copy-time time)
;;> Return a new time like TIME.
(define (copy-time time)
  (%make-time (time-type time) (time-nanosecond time) (time-second time)))

(define (time->moment time)
  (+ (* billion (time-second time)) (time-nanosecond time)))

(define (moment->time type moment)
  (%make-time type (floor-remainder moment billion)
              (floor-quotient moment billion)))

;; TIME becomes the same as FROM.
(define (time-become! time from)
  (%set-time-type! time (time-type from))
  (%set-time-nanosecond! time (time-nanosecond from))
  (%set-time-second! time (time-second from))
  time)

(define (compare who test a b)
  (check who time? "not a time" a)
  (check who time? "not a time" b)
  (if (not (eq? (time-type a) (time-type b)))
      (fail who "times of different kinds" (list a b)))
  (test (time->moment a) (time->moment b)))

;;> (time=? a b), (time<? a b), (time>? a b), (time<=? a b), (time>=? a b)
;;> Compare two times of one kind.
;;> (time<? (make-time time-utc 0 1) (make-time time-utc 0 2)) => #t
(define (time=? a b) (compare 'time=? = a b))
(define (time<? a b) (compare 'time<? < a b))
(define (time>? a b) (compare 'time>? > a b))
(define (time<=? a b) (compare 'time<=? <= a b))
(define (time>=? a b) (compare 'time>=? >= a b))

;;> (time-difference a b), (time-difference! a b)
;;> Return the duration from B to A, times of one kind. With ! A may be changed.
(define (time-difference a b)
  (moment->time time-duration (compare 'time-difference - a b)))
(define (time-difference! a b) (time-become! a (time-difference a b)))

(define (with-duration who operation time duration)
  (check who time? "not a time" time)
  (if (not (and (time? duration) (eq? (time-type duration) time-duration)))
      (fail who "not a duration" duration))
  (moment->time (time-type time)
                (operation (time->moment time) (time->moment duration))))

;;> (add-duration time duration), (add-duration! time duration)
;;> (subtract-duration time duration), (subtract-duration! time duration)
;;> Return the time later, or earlier, by DURATION. With ! TIME may be changed.
;;> (time-second (add-duration (make-time time-utc 0 1) (make-time time-duration 0 2)))
;;>   => 3
(define (add-duration time duration)
  (with-duration 'add-duration + time duration))
(define (add-duration! time duration)
  (time-become! time (add-duration time duration)))
(define (subtract-duration time duration)
  (with-duration 'subtract-duration - time duration))
(define (subtract-duration! time duration)
  (time-become! time (subtract-duration time duration)))

;; -- the calendar -------------------------------------------------------------------
;; Days since 1970-01-01. Years begin with March here, so that the leap day is last.

(define (civil->days year month day)
  (let* ((y (if (<= month 2) (- year 1) year))
         (month-from-march (modulo (+ month 9) 12)))
    (+ (* 365 y) (floor-quotient y 4) (- (floor-quotient y 100))
       (floor-quotient y 400)
       (quotient (+ (* 153 month-from-march) 2) 5)
       day
       -719469)))

(define (leap-year? year)
  (and (= 0 (modulo year 4))
       (or (not (= 0 (modulo year 100))) (= 0 (modulo year 400)))))

;; Call RECEIVER with year, month and day.
(define (days->civil days receiver)
  (let* ((shifted (+ days 719468))
         (era (floor-quotient shifted 146097))
         (of-era (floor-remainder shifted 146097))
         (year (quotient (- of-era (quotient of-era 1460)
                            (- (quotient of-era 36524))
                            (quotient of-era 146096))
                         365))
         (of-year (- of-era (+ (* 365 year) (quotient year 4)
                               (- (quotient year 100)))))
         (from-march (quotient (+ (* 5 of-year) 2) 153))
         (month (+ 1 (modulo (+ from-march 2) 12))))
    (receiver (+ year (* 400 era) (if (<= month 2) 1 0))
              month
              (+ 1 (- of-year (quotient (+ (* 153 from-march) 2) 5))))))

;; (days tai-less-utc), the latest first: from that day on.
(define leap-seconds
  (let loop ((dates '((1972 1) (1972 7) (1973 1) (1974 1) (1975 1) (1976 1)
                      (1977 1) (1978 1) (1979 1) (1980 1) (1981 7) (1982 7)
                      (1983 7) (1985 7) (1988 1) (1990 1) (1991 1) (1992 7)
                      (1993 7) (1994 7) (1996 1) (1997 7) (1999 1) (2006 1)
                      (2009 1) (2012 7) (2015 7) (2017 1)))
             (offset 10)
             (found '()))
    (if (null? dates)
        found
        (loop (cdr dates) (+ offset 1)
              (cons (cons (* day-seconds billion
                             (civil->days (caar dates) (cadar dates) 1))
                          (* billion offset))
                    found)))))

(define (utc->tai moment)
  (let loop ((entries leap-seconds))
    (cond ((null? entries) moment)
          ((>= moment (caar entries)) (+ moment (cdar entries)))
          (else (loop (cdr entries))))))

(define (tai->utc moment)
  (let loop ((entries leap-seconds))
    (cond ((null? entries) moment)
          ((>= (- moment (cdar entries)) (caar entries))
           (- moment (cdar entries)))
          (else (loop (cdr entries))))))

;; -- now ---------------------------------------------------------------------------

(define (utc-now) (exact (floor (* billion (exact (%host-call 'current-second))))))

;;> (current-time [type])
;;> Return the time of now, of kind TYPE, at first time-utc. No clock measures the
;;> time of a process or thread alone: asking for it is an error.
;;> (time-type (current-time)) => time-utc
(define (current-time . type)
  (let ((type (if (pair? type) (car type) time-utc)))
    (case type
      ((time-utc) (moment->time type (utc-now)))
      ((time-tai time-monotonic) (moment->time type (utc->tai (utc-now))))
      (else (fail 'current-time "no clock has this kind of time" type)))))

;;> (time-resolution [type])
;;> Return the nanoseconds between two readings of a clock that differ.
;;> (exact-integer? (time-resolution)) => #t
(define (time-resolution . type)
  (if (pair? type)
      (check 'time-resolution time-type? "not a kind of time" (car type)))
  1000)

;;> (current-date [offset])
;;> Return the date of now, OFFSET seconds east of UTC. (date? (current-date)) => #t
(define (current-date . offset)
  (apply time-utc->date (current-time) offset))

;;> (current-julian-day), (current-modified-julian-day)
;;> Return the days since noon on 1 January 4713 B.C., or since 17 November 1858.
;;> (> (current-julian-day) 2458849) => #t
(define (current-julian-day) (time-utc->julian-day (current-time)))
(define (current-modified-julian-day)
  (time-utc->modified-julian-day (current-time)))

;; -- dates ----------------------------------------------------------------------------

;;> (make-date nanosecond second minute hour day month year zone-offset)
;;> Return a date; ZONE-OFFSET is in seconds east of UTC.
;;> (date-day (make-date 0 0 0 12 24 12 2020 0)) => 24
(define (make-date nanosecond second minute hour day month year zone-offset)
  (for-each (lambda (n) (check 'make-date exact-integer? "not an exact integer" n))
            (list nanosecond second minute hour day month year zone-offset))
  (if (not (<= 1 month 12)) (fail 'make-date "not a month" month))
  (%make-date nanosecond second minute hour day month year zone-offset))

;;> (date? object), (date-nanosecond date), (date-second date), (date-minute date),
;;> (date-hour date), (date-day date), (date-month date), (date-year date),
;;> (date-zone-offset date)
;;> Is OBJECT a date? Its parts. (date-year (make-date 0 0 0 0 1 1 2000 0)) => 2000

(define (date-days date)
  (civil->days (date-year date) (date-month date) (date-day date)))

;;> (date-year-day date)
;;> Return the day of the year, from 1 on.
;;> (date-year-day (make-date 0 0 0 0 1 2 2000 0)) => 32
(define (date-year-day date)
  (+ 1 (- (date-days date) (civil->days (date-year date) 1 1))))

(define (week-day days) (modulo (+ 4 days) 7))

;;> (date-week-day date)
;;> Return the day of the week, 0 for Sunday.
;;> (date-week-day (make-date 0 0 0 0 1 1 2000 0)) => 6
(define (date-week-day date) (week-day (date-days date)))

;; Days of the year before its first week that begins with FIRST.
(define (days-before-first-week year first)
  (modulo (- first (week-day (civil->days year 1 1))) 7))

;;> (date-week-number date day-of-week-starting-week)
;;> Return the number of the week in its year, that of the first whole one being 0.
;;> (date-week-number (make-date 0 0 0 0 10 1 2000 0) 0) => 1
(define (date-week-number date first)
  (max 0 (floor-quotient
          (- (date-year-day date) 1
             (days-before-first-week (date-year date) first))
          7)))

;; Weeks as %U and %W of C: 0 before the first one that begins with FIRST.
(define (week-of-year date first)
  (floor-quotient (+ 6 (- (date-year-day date)
                          (days-before-first-week (date-year date) first)))
                  7))

;; ISO 8601: the week belongs to the year that has its Thursday.
(define (iso-week date)
  (let* ((days (date-days date))
         (thursday (+ (- days (modulo (+ 3 days) 7)) 3)))
    (days->civil thursday
                 (lambda (year month day)
                   (+ 1 (quotient (- thursday (civil->days year 1 1)) 7))))))

(define (date->moment date)
  (+ (date-nanosecond date)
     (* billion
        (+ (* day-seconds (date-days date))
           (* 3600 (date-hour date)) (* 60 (date-minute date))
           (date-second date) (- (date-zone-offset date))))))

(define (moment->date moment offset)
  (check 'make-date exact-integer? "not an offset in seconds" offset)
  (let* ((seconds (+ offset (floor-quotient moment billion)))
         (of-day (floor-remainder seconds day-seconds)))
    (days->civil
     (floor-quotient seconds day-seconds)
     (lambda (year month day)
       (%make-date (floor-remainder moment billion)
                   (remainder of-day 60)
                   (remainder (quotient of-day 60) 60)
                   (quotient of-day 3600)
                   day month year offset)))))

;; -- conversion -----------------------------------------------------------------------

(define (moment-of who type time)
  (if (not (and (time? time) (eq? (time-type time) type)))
      (fail who (string-append "not a " (symbol->string type)) time))
  (time->moment time))

(define (offset-of offset) (if (pair? offset) (car offset) 0))

(define unix-epoch-in-julian-days 4881175/2)
(define julian-to-modified 4800001/2)

(define (moment->julian-day moment)
  (+ unix-epoch-in-julian-days (/ moment (* billion day-seconds))))
(define (julian-day->moment day)
  (check 'julian-day real? "not a number of days" day)
  (floor (* (- (exact day) unix-epoch-in-julian-days) billion day-seconds)))

;;> (time-utc->date time [offset]), (time-tai->date time [offset]),
;;> (time-monotonic->date time [offset])
;;> Return the date of TIME, in the zone OFFSET seconds east of UTC.
;;> (date-year (time-utc->date (make-time time-utc 0 0))) => 1970
(define (time-utc->date time . offset)
  (moment->date (moment-of 'time-utc->date time-utc time) (offset-of offset)))
(define (time-tai->date time . offset)
  (moment->date (tai->utc (moment-of 'time-tai->date time-tai time))
                (offset-of offset)))
(define (time-monotonic->date time . offset)
  (moment->date (tai->utc (moment-of 'time-monotonic->date time-monotonic time))
                (offset-of offset)))

;;> (date->time-utc date), (date->time-tai date), (date->time-monotonic date)
;;> Return the time of DATE.
;;> (time-second (date->time-utc (make-date 0 1 0 0 1 1 1970 0))) => 1
(define (date->time-utc date) (moment->time time-utc (date->moment date)))
(define (date->time-tai date)
  (moment->time time-tai (utc->tai (date->moment date))))
(define (date->time-monotonic date)
  (moment->time time-monotonic (utc->tai (date->moment date))))

;;> (date->julian-day date), (date->modified-julian-day date)
;;> Return the exact number of days.
;;> (date->modified-julian-day (make-date 0 0 0 0 1 1 1970 0)) => 40587
(define (date->julian-day date) (moment->julian-day (date->moment date)))
(define (date->modified-julian-day date)
  (- (date->julian-day date) julian-to-modified))

;;> (julian-day->date day [offset]), (julian-day->time-utc day),
;;> (julian-day->time-tai day), (julian-day->time-monotonic day)
;;> Return the date or time of a Julian day.
;;> (date-year (julian-day->date 2451545)) => 2000
(define (julian-day->date day . offset)
  (moment->date (julian-day->moment day) (offset-of offset)))
(define (julian-day->time-utc day)
  (moment->time time-utc (julian-day->moment day)))
(define (julian-day->time-tai day)
  (moment->time time-tai (utc->tai (julian-day->moment day))))
(define (julian-day->time-monotonic day)
  (moment->time time-monotonic (utc->tai (julian-day->moment day))))

;;> (modified-julian-day->date day [offset]), (modified-julian-day->time-utc day),
;;> (modified-julian-day->time-tai day), (modified-julian-day->time-monotonic day)
;;> Return the date or time of a modified Julian day.
;;> (date-year (modified-julian-day->date 40587)) => 1970
(define (modified day)
  (check 'modified-julian-day real? "not a number of days" day)
  (+ (exact day) julian-to-modified))
(define (modified-julian-day->date day . offset)
  (apply julian-day->date (modified day) offset))
(define (modified-julian-day->time-utc day)
  (julian-day->time-utc (modified day)))
(define (modified-julian-day->time-tai day)
  (julian-day->time-tai (modified day)))
(define (modified-julian-day->time-monotonic day)
  (julian-day->time-monotonic (modified day)))

;;> (time-utc->julian-day time), (time-tai->julian-day time),
;;> (time-monotonic->julian-day time)
;;> Return the exact Julian day of TIME.
;;> (time-utc->julian-day (make-time time-utc 0 0)) => 4881175/2
(define (time-utc->julian-day time)
  (moment->julian-day (moment-of 'time-utc->julian-day time-utc time)))
(define (time-tai->julian-day time)
  (moment->julian-day
   (tai->utc (moment-of 'time-tai->julian-day time-tai time))))
(define (time-monotonic->julian-day time)
  (moment->julian-day
   (tai->utc (moment-of 'time-monotonic->julian-day time-monotonic time))))

;;> (time-utc->modified-julian-day time), (time-tai->modified-julian-day time),
;;> (time-monotonic->modified-julian-day time)
;;> Return the exact modified Julian day of TIME.
;;> (time-utc->modified-julian-day (make-time time-utc 0 0)) => 40587
(define (time-utc->modified-julian-day time)
  (- (time-utc->julian-day time) julian-to-modified))
(define (time-tai->modified-julian-day time)
  (- (time-tai->julian-day time) julian-to-modified))
(define (time-monotonic->modified-julian-day time)
  (- (time-monotonic->julian-day time) julian-to-modified))

(define (converted who from convert to time)
  (moment->time to (convert (moment-of who from time))))
(define (same moment) moment)

;;> (time-utc->time-tai time), (time-utc->time-monotonic time),
;;> (time-tai->time-utc time), (time-tai->time-monotonic time),
;;> (time-monotonic->time-utc time), (time-monotonic->time-tai time), and with !
;;> Return the same time as one of another kind. With ! TIME may be changed.
;;> (time-second (time-utc->time-tai (make-time time-utc 0 1500000000))) => 1500000037
(define (time-utc->time-tai time)
  (converted 'time-utc->time-tai time-utc utc->tai time-tai time))
(define (time-utc->time-monotonic time)
  (converted 'time-utc->time-monotonic time-utc utc->tai time-monotonic time))
(define (time-tai->time-utc time)
  (converted 'time-tai->time-utc time-tai tai->utc time-utc time))
(define (time-tai->time-monotonic time)
  (converted 'time-tai->time-monotonic time-tai same time-monotonic time))
(define (time-monotonic->time-utc time)
  (converted 'time-monotonic->time-utc time-monotonic tai->utc time-utc time))
(define (time-monotonic->time-tai time)
  (converted 'time-monotonic->time-tai time-monotonic same time-tai time))
(define (time-utc->time-tai! time)
  (time-become! time (time-utc->time-tai time)))
(define (time-utc->time-monotonic! time)
  (time-become! time (time-utc->time-monotonic time)))
(define (time-tai->time-utc! time)
  (time-become! time (time-tai->time-utc time)))
(define (time-tai->time-monotonic! time)
  (time-become! time (time-tai->time-monotonic time)))
(define (time-monotonic->time-utc! time)
  (time-become! time (time-monotonic->time-utc time)))
(define (time-monotonic->time-tai! time)
  (time-become! time (time-monotonic->time-tai time)))

;; -- dates as text -----------------------------------------------------------------------

(define week-days
  '#("Sunday" "Monday" "Tuesday" "Wednesday" "Thursday" "Friday" "Saturday"))
(define months
  '#("January" "February" "March" "April" "May" "June" "July" "August"
     "September" "October" "November" "December"))

(define (short name) (substring name 0 3))

(define (padded n width char)
  (let* ((digits (number->string n)) (length (string-length digits)))
    (if (< length width)
        (string-append (make-string (- width length) char) digits)
        digits)))
(define (zeros n width) (padded n width #\0))
(define (blanks n width) (padded n width #\space))

(define (hour-of-12 date) (+ 1 (modulo (- (date-hour date) 1) 12)))

(define (zone-text date)
  (let* ((offset (date-zone-offset date)) (minutes (quotient (abs offset) 60)))
    (if (= offset 0)
        "Z"
        (string-append (if (< offset 0) "-" "+")
                       (zeros (quotient minutes 60) 2)
                       (zeros (remainder minutes 60) 2)))))

;; Digits of the fraction, with the point; nothing for 0.
(define (fraction-text nanosecond)
  (if (= nanosecond 0)
      ""
      (let loop ((digits (zeros nanosecond 9)))
        (let ((last (- (string-length digits) 1)))
          (if (char=? #\0 (string-ref digits last))
              (loop (substring digits 0 last))
              (string-append "." digits))))))

(define (directive-text char date)
  (case char
    ((#\~) "~")
    ((#\a) (short (vector-ref week-days (date-week-day date))))
    ((#\A) (vector-ref week-days (date-week-day date)))
    ((#\b #\h) (short (vector-ref months (- (date-month date) 1))))
    ((#\B) (vector-ref months (- (date-month date) 1)))
    ((#\c) (date->string date "~a ~b ~d ~H:~M:~S~z ~Y"))
    ((#\d) (zeros (date-day date) 2))
    ((#\D #\x) (date->string date "~m/~d/~y"))
    ((#\e) (blanks (date-day date) 2))
    ((#\f) (string-append (zeros (date-second date) 2)
                          (fraction-text (date-nanosecond date))))
    ((#\H) (zeros (date-hour date) 2))
    ((#\I) (zeros (hour-of-12 date) 2))
    ((#\j) (zeros (date-year-day date) 3))
    ((#\k) (blanks (date-hour date) 2))
    ((#\l) (blanks (hour-of-12 date) 2))
    ((#\m) (zeros (date-month date) 2))
    ((#\M) (zeros (date-minute date) 2))
    ((#\n) "\n")
    ((#\N) (zeros (date-nanosecond date) 9))
    ((#\p) (if (< (date-hour date) 12) "AM" "PM"))
    ((#\r) (date->string date "~I:~M:~S ~p"))
    ((#\s) (number->string (floor-quotient (date->moment date) billion)))
    ((#\S) (zeros (date-second date) 2))
    ((#\t) "\t")
    ((#\T #\X #\3) (date->string date "~H:~M:~S"))
    ((#\U) (zeros (week-of-year date 0) 2))
    ((#\V) (zeros (iso-week date) 2))
    ((#\w) (number->string (date-week-day date)))
    ((#\W) (zeros (week-of-year date 1) 2))
    ((#\y) (zeros (modulo (date-year date) 100) 2))
    ((#\Y) (number->string (date-year date)))
    ((#\z #\Z) (zone-text date))
    ((#\1) (date->string date "~Y-~m-~d"))
    ((#\2) (date->string date "~H:~M:~S~z"))
    ((#\4) (date->string date "~Y-~m-~dT~H:~M:~S~z"))
    ((#\5) (date->string date "~Y-~m-~dT~H:~M:~S"))
    (else (fail 'date->string "no such directive" char))))

;;> (date->string date [format])
;;> Return DATE as text; ~ and a letter in FORMAT stand for parts of it.
;;> (date->string (make-date 0 5 4 3 2 1 2000 0) "~Y-~m-~d ~H:~M:~S")
;;>   => "2000-01-02 03:04:05"
(define (date->string date . format)
  (check 'date->string date? "not a date" date)
  (let ((format (if (pair? format) (car format) "~c"))
        (out (open-output-string)))
    (check 'date->string string? "not a format" format)
    (let ((end (string-length format)))
      (let loop ((i 0))
        (cond ((= i end) (get-output-string out))
              ((not (char=? #\~ (string-ref format i)))
               (write-char (string-ref format i) out)
               (loop (+ i 1)))
              ((= (+ i 1) end) (fail 'date->string "~ at the end" format))
              (else
               (write-string (directive-text (string-ref format (+ i 1)) date)
                             out)
               (loop (+ i 2))))))))

(define (bad-input text) (fail 'string->date "the text does not fit" text))

(define (skip-to test port text)
  (let ((char (peek-char port)))
    (cond ((eof-object? char) (bad-input text))
          ((not (test char)) (read-char port) (skip-to test port text)))))

;; The number that at most MOST digits make.
(define (read-digits most port text)
  (let loop ((n 0) (count 0))
    (let ((char (peek-char port)))
      (cond ((and (< count most) (char? char) (digit-value char))
             => (lambda (digit)
                  (read-char port)
                  (loop (+ (* 10 n) digit) (+ count 1))))
            ((= count 0) (bad-input text))
            (else n)))))

(define (read-padded most port text)
  (if (eqv? #\space (peek-char port)) (read-char port))
  (read-digits most port text))

(define (read-name port)
  (let loop ((chars '()))
    (let ((char (peek-char port)))
      (if (and (char? char) (char-alphabetic? char))
          (loop (cons (read-char port) chars))
          (list->string (reverse chars))))))

;; The index in NAMES of a name, or of its short form.
(define (name-index names name text)
  (let loop ((i 0))
    (cond ((= i (vector-length names)) (bad-input text))
          ((or (string-ci=? name (vector-ref names i))
               (string-ci=? name (short (vector-ref names i))))
           i)
          (else (loop (+ i 1))))))

(define (read-zone port text)
  (let ((sign (read-char port)))
    (case sign
      ((#\Z #\z) 0)
      ((#\+ #\-)
       (let* ((hours (read-digits 2 port text))
              (colon (if (eqv? #\: (peek-char port)) (read-char port)))
              (minutes (read-digits 2 port text)))
         (* (if (char=? sign #\-) -60 60) (+ (* 60 hours) minutes))))
      (else (bad-input text)))))

;; The year with these two last digits that is nearest to now.
(define (whole-year n)
  (let ((now (date-year (current-date))))
    (+ now -50 (modulo (- n (- now 50)) 100))))

;; Read what a directive of string->date stands for: (field . value) or #f.
(define (read-directive char port text)
  (define (digits most field)
    (skip-to char-numeric? port text)
    (cons field (read-digits most port text)))
  (define (name names)
    (skip-to char-alphabetic? port text)
    (name-index names (read-name port) text))
  (case char
    ((#\~) (if (eqv? #\~ (read-char port)) #f (bad-input text)))
    ((#\a #\A) (name week-days) #f)
    ((#\b #\B #\h) (cons 'month (+ 1 (name months))))
    ((#\d) (digits 2 'day))
    ((#\e) (cons 'day (read-padded 2 port text)))
    ((#\H) (digits 2 'hour))
    ((#\k) (cons 'hour (read-padded 2 port text)))
    ((#\m) (digits 2 'month))
    ((#\M) (digits 2 'minute))
    ((#\S) (digits 2 'second))
    ((#\y) (cons 'year (whole-year (read-padded 2 port text))))
    ((#\Y) (digits 9 'year))
    ((#\z) (cons 'zone (read-zone port text)))
    (else (fail 'string->date "no such directive" char))))

(define (fields->date fields text)
  (define (field name default)
    (cond ((assq name fields) => cdr)
          (default)
          (else (bad-input text))))
  (make-date 0 (field 'second 0) (field 'minute 0) (field 'hour 0)
             (field 'day #f) (field 'month #f) (field 'year #f)
             (field 'zone 0)))

;;> (string->date text template)
;;> Return the date that TEXT says by TEMPLATE, in which ~ and a letter stand for
;;> parts; other characters must be the same.
;;> (date-day (string->date "2000-01-02" "~Y-~m-~d")) => 2
(define (string->date text template)
  (check 'string->date string? "not a string" text)
  (check 'string->date string? "not a template" template)
  (let ((port (open-input-string text)) (end (string-length template)))
    (let loop ((i 0) (fields '()))
      (cond ((= i end) (fields->date fields text))
            ((not (char=? #\~ (string-ref template i)))
             (if (eqv? (string-ref template i) (read-char port))
                 (loop (+ i 1) fields)
                 (bad-input text)))
            ((= (+ i 1) end) (fail 'string->date "~ at the end" template))
            (else
             (let ((field (read-directive (string-ref template (+ i 1)) port
                                          text)))
               (loop (+ i 2) (if field (cons field fields) fields))))))))
