;; SRFI 18: threads. They are green: one runs at a time, in turns that are counted
;; in fuel, and all of them share the limits of the run that goes on. Threads that
;; are not done when a run ends go on in the next run that lets them. While every
;; thread sleeps, the host does, and that counts against the run's time.
;; An error that no handler of the first thread sees ends the run.
(define-library (srfi 18)
  (export
   ;; threads
   current-thread thread? make-thread thread-name thread-specific
   thread-specific-set! thread-start! thread-yield! thread-sleep!
   thread-terminate! thread-join!
   ;; mutexes
   mutex? make-mutex mutex-name mutex-specific mutex-specific-set! mutex-state
   mutex-lock! mutex-unlock!
   ;; condition variables
   condition-variable? make-condition-variable condition-variable-name
   condition-variable-specific condition-variable-specific-set!
   condition-variable-signal! condition-variable-broadcast!
   ;; time
   current-time time? time->seconds seconds->time
   ;; exceptions
   current-exception-handler with-exception-handler raise
   join-timeout-exception? abandoned-mutex-exception?
   terminated-thread-exception? uncaught-exception? uncaught-exception-reason)
  (import (scheme base)
          (only (%core) %call/cc %throw %dynamic-state %dynamic-state-ref
                %make-dynamic-state %set-dynamic-state! %host-call %set-root!
                %set-tick! %resume-frame %run-serial))
  (include "18.scm"))
