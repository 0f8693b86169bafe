;;; SRFI 18, the body.
;;;
;;; A thread that does not run is a continuation: `resume` holds it, and what it is
;;; to receive stands in `value`. While library code here works, no tick is armed,
;;; so nothing interrupts it; `dispatch!` arms the tick and goes on with the thread
;;; whose turn it is. Waiting is said by a waiter, a pair (thread . live?) that may
;;; stand in the queue of a mutex, of a condition variable or of a thread and among
;;; the sleepers at once: the first to wake it makes it dead for the others.
;;;
;;; The first thread of a run is its primary thread. A run may begin while another
;;; waits for it (a procedure of the host calls its own context), so the threads
;;; that are current are kept by run, and a primary thread is never given a turn in
;;; another run than its own.

(define quantum 50000)

(define-record-type thread
  (%make-thread thunk parameters name serial state mutexes joiners)
  thread?
  (thunk thread-thunk)
  (parameters thread-parameters)
  (name %thread-name)
  (serial thread-serial)                ; of a primary thread's run, else #f
  (state thread-state set-thread-state!) ; new ready waiting done failed ended
  (resume thread-resume set-thread-resume!)
  (value thread-value set-thread-value!) ; to receive; the result in the end
  (waiter thread-waiter set-thread-waiter!)
  (mutexes thread-mutexes set-thread-mutexes!)
  (joiners thread-joiners set-thread-joiners!)
  (specific %thread-specific %thread-specific-set!))

(define-record-type mutex
  (%make-mutex name state waiters)
  mutex?
  (name %mutex-name)
  (state %mutex-state set-mutex-state!) ; as mutex-state says it
  (waiters mutex-waiters set-mutex-waiters!)
  (specific %mutex-specific %mutex-specific-set!))

(define-record-type condition-variable
  (%make-condition-variable name waiters)
  condition-variable?
  (name %condition-variable-name)
  (waiters condition-waiters set-condition-waiters!)
  (specific %condition-variable-specific %condition-variable-specific-set!))

(define-record-type time
  (%make-time seconds)
  time?
  (seconds time-seconds))

(define-record-type join-timeout-exception
  (make-join-timeout thread)
  join-timeout-exception?
  (thread join-timeout-thread))

(define-record-type abandoned-mutex-exception
  (make-abandoned-mutex mutex)
  abandoned-mutex-exception?
  (mutex abandoned-mutex))

(define-record-type terminated-thread-exception
  (make-terminated-thread thread)
  terminated-thread-exception?
  (thread terminated-thread))

(define-record-type uncaught-exception
  (make-uncaught reason)
  uncaught-exception?
  (reason %uncaught-exception-reason))

(define (check who test what object)
  (if (not (test object))
      (error (string-append (symbol->string who) ": not a " what) object)))

;; -- queues ---------------------------------------------------------------------
;; (front . back): the back one is in reverse.

(define (make-queue) (cons '() '()))

(define (queue-push! queue item) (set-cdr! queue (cons item (cdr queue))))

(define (queue-turn! queue)
  (when (null? (car queue))
    (set-car! queue (reverse (cdr queue)))
    (set-cdr! queue '())))

(define (queue-empty? queue)
  (and (null? (car queue)) (null? (cdr queue))))

(define (queue-pop! queue)
  (queue-turn! queue)
  (let ((item (caar queue)))
    (set-car! queue (cdar queue))
    item))

;; -- who runs -------------------------------------------------------------------

(define ready (make-queue))
;; ((jiffy . waiter) ...), the earliest first.
(define sleepers '())
;; ((serial . thread) ...): the current thread of each run, the latest run first.
(define currents '())
(define most-currents 128)
;; Where new threads start, in the run of that serial.
(define base-serial #f)
(define base #f)

(define (first-of items n)
  (if (or (null? items) (= n 0))
      '()
      (cons (car items) (first-of (cdr items) (- n 1)))))

(define (current-cell)
  (let ((serial (%run-serial)))
    (or (and (pair? currents) (= (caar currents) serial) (car currents))
        (assv serial currents)
        (let ((cell (cons serial (%make-thread #f '() 'primary serial 'ready
                                               '() (make-queue)))))
          (set! currents (cons cell (first-of currents most-currents)))
          cell))))

;;> (current-thread)
;;> Return the thread that runs. (thread? (current-thread)) => #t
(define (current-thread) (cdr (current-cell)))

(define (now) (%host-call 'current-jiffy))

(define (drop-dead!)
  (when (and (pair? sleepers) (not (cdr (cdar sleepers))))
    (set! sleepers (cdr sleepers))
    (drop-dead!)))

(define (wake-sleepers!)
  (drop-dead!)
  (if (pair? sleepers)
      (let ((time (now)))
        (let loop ()
          (drop-dead!)
          (when (and (pair? sleepers) (<= (caar sleepers) time))
            (wake! (cdar sleepers) 'timeout)
            (loop))))))

(define (sleeper-insert jiffy waiter sleepers)
  (if (or (null? sleepers) (< jiffy (caar sleepers)))
      (cons (cons jiffy waiter) sleepers)
      (cons (car sleepers) (sleeper-insert jiffy waiter (cdr sleepers)))))

(define (make-ready! thread value)
  (set-thread-state! thread 'ready)
  (set-thread-value! thread value)
  (queue-push! ready thread))

;; Let the thread of a live waiter go on with VALUE. Was it alive?
(define (wake! waiter value)
  (and (cdr waiter)
       (begin
         (set-cdr! waiter #f)
         (make-ready! (car waiter) value)
         #t)))

;; Wake the first live waiter of a queue; was there one?
(define (wake-one! queue value)
  (and (not (queue-empty? queue))
       (or (wake! (queue-pop! queue) value)
           (wake-one! queue value))))

(define (wake-all! queue value)
  (when (wake-one! queue value)
    (wake-all! queue value)))

(define (others?)
  (or (not (queue-empty? ready)) (pair? sleepers)))

(define (arm!) (%set-tick! (and (others?) quantum)))

;; The next thread that may run in this run, or #f.
(define (next-ready!)
  (let ((serial (%run-serial)))
    (let loop ((held '()))
      (if (queue-empty? ready)
          (begin
            (for-each (lambda (thread) (queue-push! ready thread))
                      (reverse held))
            #f)
          (let ((thread (queue-pop! ready)))
            (cond ((not (eq? (thread-state thread) 'ready)) (loop held))
                  ((memv (thread-serial thread) (list #f serial))
                   (for-each (lambda (thread) (queue-push! ready thread)) held)
                   thread)
                  (else (loop (cons thread held)))))))))

;; Give the turn to the next thread; sleep until there is one.
(define (dispatch!)
  (wake-sleepers!)
  (let ((thread (next-ready!)))
    (cond (thread (go-on! thread))
          ((pair? sleepers)
           (%host-call 'sleep
                       (max 0 (/ (- (caar sleepers) (now)) 1e9)))
           (dispatch!))
          (else (end-deadlock!)))))

(define (go-on! thread)
  (set-cdr! (current-cell) thread)
  (if (thread-resume thread)
      (let ((k (thread-resume thread)))
        (set-thread-resume! thread #f)
        (%throw k (list (thread-value thread))))
      (start-at-base! (lambda () (run-thread thread)))))

(define (start-at-base! thunk)
  (if (eqv? base-serial (%run-serial))
      (%throw base (list thunk))
      ((%call/cc (lambda (k)
                   (set! base k)
                   (set! base-serial (%run-serial))
                   thunk)))))

;; Nobody can go on: the run's primary thread is told.
(define (end-deadlock!)
  (let ((primary (primary-waiting)))
    (set-thread-state! primary 'ready)
    (set-thread-value! primary 'deadlock)
    (let ((waiter (thread-waiter primary)))
      (if waiter (set-cdr! waiter #f)))
    (go-on! primary)))

(define primaries '())

(define (primary-waiting)
  (let ((serial (%run-serial)))
    (let loop ((threads primaries))
      (if (eqv? (thread-serial (car threads)) serial)
          (car threads)
          (loop (cdr threads))))))

;; The current thread stops; REGISTER gets it, to see to it that it goes on, once
;; its continuation is kept. The value is what it receives.
(define (suspend! register)
  (%set-tick! #f)
  (let* ((thread (current-thread))
         (value (%call/cc
                 (lambda (k)
                   (set-thread-resume! thread k)
                   (set-thread-state! thread 'waiting)
                   (if (thread-serial thread)
                       (set! primaries
                             (cons thread
                                   (first-of primaries most-currents))))
                   (register thread)
                   (dispatch!)))))
    (set-thread-waiter! thread #f)
    (if (eq? value 'deadlock)
        (error "deadlock: every thread waits for another one"))
    (arm!)
    value))

;; Wait for one that wakes the waiter, in QUEUE or (when not #f) at JIFFY.
(define (wait! queue jiffy)
  (suspend!
   (lambda (thread)
     (let ((waiter (cons thread #t)))
       (set-thread-waiter! thread waiter)
       (if queue (queue-push! queue waiter))
       (if jiffy (set! sleepers (sleeper-insert jiffy waiter sleepers)))))))

(define (yield!)
  (suspend! (lambda (thread) (make-ready! thread #t))))

;; What a tick calls: another thread gets a turn.
(define (tick! frame)
  (wake-sleepers!)
  (if (queue-empty? ready)
      (arm!)
      (yield!))
  (%resume-frame frame))

(%set-root! 14 tick!)

;; -- threads -----------------------------------------------------------------------

;;> (thread? object)
;;> Is OBJECT a thread? (thread? car) => #f

;;> (make-thread thunk [name])
;;> Return a new thread, which thread-start! lets call THUNK.
;;> (thread-name (make-thread list 'x)) => x
(define (make-thread thunk . name)
  (check 'make-thread procedure? "procedure" thunk)
  (%make-thread thunk (%dynamic-state-ref (%dynamic-state) 2)
                (if (pair? name) (car name) #f) #f 'new '() (make-queue)))

(define (finish-thread! thread state value)
  (%set-tick! #f)
  (set-thread-state! thread state)
  (set-thread-value! thread value)
  (for-each (lambda (mutex) (abandon! mutex)) (thread-mutexes thread))
  (set-thread-mutexes! thread '())
  (wake-all! (thread-joiners thread) #t))

(define (run-thread thread)
  (%set-dynamic-state!
   (%make-dynamic-state '() '() (thread-parameters thread) #f))
  (arm!)
  (let ((value (with-exception-handler
                (lambda (condition)
                  (finish-thread! thread 'failed condition)
                  (dispatch!))
                (thread-thunk thread))))
    (finish-thread! thread 'done value)
    (dispatch!)))

;;> (thread-name thread)
;;> Return the name that THREAD was made with, or #f.
(define (thread-name thread)
  (check 'thread-name thread? "thread" thread)
  (%thread-name thread))

;;> (thread-specific thread), (thread-specific-set! thread object)
;;> Return, or replace, the object that is kept with THREAD.
(define (thread-specific thread)
  (check 'thread-specific thread? "thread" thread)
  (%thread-specific thread))
(define (thread-specific-set! thread object)
  (check 'thread-specific-set! thread? "thread" thread)
  (%thread-specific-set! thread object))

;;> (thread-start! thread)
;;> Let THREAD begin; return it.
;;> (thread-join! (thread-start! (make-thread (lambda () 42)))) => 42
(define (thread-start! thread)
  (check 'thread-start! thread? "thread" thread)
  (if (not (eq? (thread-state thread) 'new))
      (error "thread-start!: the thread was started before" thread))
  (make-ready! thread #f)
  (arm!)
  thread)

;;> (thread-yield!)
;;> Give the other threads a turn.
(define (thread-yield!)
  (yield!)
  (if #f #f))

;;> (thread-sleep! timeout)
;;> Let time pass: TIMEOUT is a number of seconds, or the time to wait for.
(define (thread-sleep! timeout)
  (if (not timeout)
      (error "thread-sleep!: not a time" timeout))
  (wait! #f (timeout-jiffy 'thread-sleep! timeout))
  (if #f #f))

;;> (thread-terminate! thread)
;;> End THREAD. Mutexes that it holds are abandoned.
(define (thread-terminate! thread)
  (check 'thread-terminate! thread? "thread" thread)
  (when (not (memq (thread-state thread) '(done failed ended)))
    (let ((waiter (thread-waiter thread)))
      (if waiter (set-cdr! waiter #f)))
    (finish-thread! thread 'ended #f)
    (set-thread-resume! thread #f)
    (if (eq? thread (current-thread))
        (dispatch!)
        (arm!)))
  (if #f #f))

(define (ended? thread) (memq (thread-state thread) '(done failed ended)))

;;> (thread-join! thread [timeout [value]])
;;> Wait until THREAD ends and return its result. What it raised is raised again
;;> inside an uncaught-exception. When the time is over, VALUE is returned, or a
;;> join-timeout-exception raised.
(define (thread-join! thread . rest)
  (check 'thread-join! thread? "thread" thread)
  (let ((jiffy (and (pair? rest) (timeout-jiffy 'thread-join! (car rest)))))
    (if (not (ended? thread))
        (wait! (thread-joiners thread) jiffy))
    (case (thread-state thread)
      ((done) (thread-value thread))
      ((failed) (raise (make-uncaught (thread-value thread))))
      ((ended) (raise (make-terminated-thread thread)))
      (else
       (if (and (pair? rest) (pair? (cdr rest)))
           (cadr rest)
           (raise (make-join-timeout thread)))))))

;; -- mutexes --------------------------------------------------------------------------

;;> (mutex? object)
;;> Is OBJECT a mutex? (mutex? (make-mutex)) => #t

;;> (make-mutex [name])
;;> Return a new mutex, not locked. (mutex-state (make-mutex)) => not-abandoned
(define (make-mutex . name)
  (%make-mutex (if (pair? name) (car name) #f) 'not-abandoned (make-queue)))

;;> (mutex-name mutex)
;;> Return the name that MUTEX was made with, or #f. (mutex-name (make-mutex 'm)) => m
(define (mutex-name mutex)
  (check 'mutex-name mutex? "mutex" mutex)
  (%mutex-name mutex))

;;> (mutex-specific mutex), (mutex-specific-set! mutex object)
;;> Return, or replace, the object that is kept with MUTEX.
(define (mutex-specific mutex)
  (check 'mutex-specific mutex? "mutex" mutex)
  (%mutex-specific mutex))
(define (mutex-specific-set! mutex object)
  (check 'mutex-specific-set! mutex? "mutex" mutex)
  (%mutex-specific-set! mutex object))

;;> (mutex-state mutex)
;;> Return the thread that holds MUTEX, not-owned for one that is locked by none,
;;> abandoned or not-abandoned for one that is not locked.
(define (mutex-state mutex)
  (check 'mutex-state mutex? "mutex" mutex)
  (%mutex-state mutex))

(define (unlocked? mutex)
  (memq (%mutex-state mutex) '(abandoned not-abandoned)))

(define (hold! mutex owner)
  (cond ((not owner) (set-mutex-state! mutex 'not-owned))
        ((ended? owner) (set-mutex-state! mutex 'abandoned))
        (else
         (set-mutex-state! mutex owner)
         (set-thread-mutexes! owner (cons mutex (thread-mutexes owner))))))

(define (without item items)
  (cond ((null? items) '())
        ((eq? item (car items)) (cdr items))
        (else (cons (car items) (without item (cdr items))))))

(define (release! mutex state)
  (let ((owner (%mutex-state mutex)))
    (if (thread? owner)
        (set-thread-mutexes! owner (without mutex (thread-mutexes owner)))))
  (set-mutex-state! mutex state)
  (wake-one! (mutex-waiters mutex) #t))

(define (abandon! mutex) (release! mutex 'abandoned))

;;> (mutex-lock! mutex [timeout [thread]])
;;> Wait until MUTEX is free, and lock it for THREAD, at first the current one; #f
;;> for none. #f where the time was over. Of an abandoned mutex the new holder
;;> learns by an abandoned-mutex-exception.
(define (mutex-lock! mutex . rest)
  (check 'mutex-lock! mutex? "mutex" mutex)
  (let ((jiffy (and (pair? rest) (timeout-jiffy 'mutex-lock! (car rest))))
        (owner (if (and (pair? rest) (pair? (cdr rest)))
                   (cadr rest)
                   (current-thread))))
    (if owner (check 'mutex-lock! thread? "thread" owner))
    (let loop ()
      (cond ((unlocked? mutex)
             (let ((before (%mutex-state mutex)))
               (hold! mutex owner)
               (if (eq? before 'abandoned)
                   (raise (make-abandoned-mutex mutex))
                   #t)))
            ((eq? (wait! (mutex-waiters mutex) jiffy) 'timeout) #f)
            (else (loop))))))

;;> (mutex-unlock! mutex [condition-variable [timeout]])
;;> Unlock MUTEX, which another thread may have locked. With CONDITION-VARIABLE,
;;> wait for that one then; #f where the time was over.
(define (mutex-unlock! mutex . rest)
  (check 'mutex-unlock! mutex? "mutex" mutex)
  (let ((variable (and (pair? rest) (car rest)))
        (jiffy (and (pair? rest) (pair? (cdr rest))
                    (timeout-jiffy 'mutex-unlock! (cadr rest)))))
    (if variable
        (check 'mutex-unlock! condition-variable? "condition variable"
               variable))
    (%set-tick! #f)
    (if (not (unlocked? mutex))
        (release! mutex 'not-abandoned))
    (if variable
        (not (eq? (wait! (condition-waiters variable) jiffy) 'timeout))
        (begin
          (arm!)
          #t))))

;; -- condition variables ------------------------------------------------------------

;;> (condition-variable? object)
;;> Is OBJECT a condition variable?
;;> (condition-variable? (make-condition-variable)) => #t

;;> (make-condition-variable [name])
;;> Return a new condition variable.
;;> (condition-variable-name (make-condition-variable 'c)) => c
(define (make-condition-variable . name)
  (%make-condition-variable (if (pair? name) (car name) #f) (make-queue)))

;;> (condition-variable-name condition-variable)
;;> Return the name that it was made with, or #f.
(define (condition-variable-name variable)
  (check 'condition-variable-name condition-variable? "condition variable"
         variable)
  (%condition-variable-name variable))

;;> (condition-variable-specific variable),
;;> (condition-variable-specific-set! variable object)
;;> Return, or replace, the object that is kept with VARIABLE.
(define (condition-variable-specific variable)
  (check 'condition-variable-specific condition-variable? "condition variable"
         variable)
  (%condition-variable-specific variable))
(define (condition-variable-specific-set! variable object)
  (check 'condition-variable-specific-set! condition-variable?
         "condition variable" variable)
  (%condition-variable-specific-set! variable object))

;;> (condition-variable-signal! variable)
;;> Let one thread that waits for VARIABLE go on.
(define (condition-variable-signal! variable)
  (check 'condition-variable-signal! condition-variable? "condition variable"
         variable)
  (wake-one! (condition-waiters variable) #t)
  (arm!))

;;> (condition-variable-broadcast! variable)
;;> Let all threads that wait for VARIABLE go on.
(define (condition-variable-broadcast! variable)
  (check 'condition-variable-broadcast! condition-variable?
         "condition variable" variable)
  (wake-all! (condition-waiters variable) #t)
  (arm!))

;; -- time --------------------------------------------------------------------------

;;> (current-time)
;;> Return the time of now. (time? (current-time)) => #t
(define (current-time)
  (%make-time (inexact (%host-call 'current-second))))

;;> (time->seconds time), (seconds->time seconds)
;;> Convert between times and seconds since 1970.
;;> (time->seconds (seconds->time 7)) => 7
(define (time->seconds time)
  (check 'time->seconds time? "time" time)
  (time-seconds time))
(define (seconds->time seconds)
  (check 'seconds->time real? "number" seconds)
  (%make-time seconds))

;;> (time? object)
;;> Is OBJECT a time? (time? 7) => #f

;; The jiffy at which TIMEOUT is over; #f: never.
(define (timeout-jiffy who timeout)
  (cond ((not timeout) #f)
        ((and (real? timeout) (= timeout timeout) (< (abs timeout) 1e12))
         (+ (now) (nanoseconds timeout)))
        ((time? timeout)
         (+ (now)
            (nanoseconds (- (time-seconds timeout)
                            (%host-call 'current-second)))))
        (else
         (error (string-append (symbol->string who)
                               ": not a time or a number of seconds")
                timeout))))

(define (nanoseconds seconds) (exact (round (* seconds 1000000000))))

;; -- exceptions ----------------------------------------------------------------------

;;> (current-exception-handler)
;;> Return the handler of what is raised here.
(define (current-exception-handler)
  (let ((handlers (%dynamic-state-ref (%dynamic-state) 1)))
    (if (pair? handlers) (car handlers) raise)))

;;> (join-timeout-exception? object), (abandoned-mutex-exception? object),
;;> (terminated-thread-exception? object), (uncaught-exception? object)
;;> Is OBJECT what thread-join! and mutex-lock! raise? (uncaught-exception? 1) => #f

;;> (uncaught-exception-reason exception)
;;> Return what the thread had raised.
(define (uncaught-exception-reason exception)
  (check 'uncaught-exception-reason uncaught-exception? "uncaught exception"
         exception)
  (%uncaught-exception-reason exception))

;;> (with-exception-handler handler thunk), (raise object)
;;> As in (scheme base). A thread begins without handlers.
;;> (with-exception-handler (lambda (e) 1) (lambda () 2)) => 2
