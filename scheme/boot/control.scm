;;; Control: the dynamic state, dynamic-wind, continuations, exceptions, exit.
;;;
;;; The dynamic state is one object of four fields: winders, handlers,
;;; parameters, ending. The VM keeps the current one in a register and a
;;; continuation carries the one it was captured in. A winder is a vector
;;; (before after state); state is the one dynamic-wind was called in, so its
;;; winders are the rest of the list that the winder heads. Lists of winders
;;; are compared by address: two continuations with the same list need no
;;; thunks run, and the VM jumps between them without asking this file.
;;;
;;; ENDING is #f, or (thunk) while the run is being ended by `exit` or by a
;;; raise that nobody handles; each after-thunk then runs in a state with a
;;; fresh ending and a winder #f, so that a jump out of it always comes here.

(define (%winders) (%dynamic-state-ref (%dynamic-state) 0))

;; Call THUNK in STATE, come back to the state of now.
(define (%call-in state thunk)
  (let ((outer (%dynamic-state)))
    (%set-dynamic-state! state)
    (call-with-values thunk
      (case-lambda
        ((value) (%set-dynamic-state! outer) value)
        (results (%set-dynamic-state! outer) (apply values results))))))

(define (%with-winders state winders)
  (%make-dynamic-state winders
                       (%dynamic-state-ref state 1)
                       (%dynamic-state-ref state 2)
                       (%dynamic-state-ref state 3)))

(define (%with-handlers state handlers)
  (%make-dynamic-state (%dynamic-state-ref state 0)
                       handlers
                       (%dynamic-state-ref state 2)
                       (%dynamic-state-ref state 3)))

(define (%with-parameters state parameters)
  (%make-dynamic-state (%dynamic-state-ref state 0)
                       (%dynamic-state-ref state 1)
                       parameters
                       (%dynamic-state-ref state 3)))

;; -- ending a run ----------------------------------------------------------

;; Run the after-thunks that are outstanding, innermost first, each once, and
;; then THUNK, which must not return. No handler sees what they raise.
(define (%finish thunk)
  (let ((winders (%winders)))
    (cond ((not (pair? winders)) (thunk))
          ((car winders)
           => (lambda (winder) (%finish-one winder winders thunk)))
          (else
           (%set-dynamic-state! (%with-winders (%dynamic-state) (cdr winders)))
           (%finish thunk)))))

(define (%finish-one winder winders thunk)
  (%set-dynamic-state!
   (%make-dynamic-state (cons #f (cdr winders))
                        '()
                        (%dynamic-state-ref (vector-ref winder 2) 2)
                        (list thunk)))
  ((vector-ref winder 1))
  (%finish thunk))

;; What the host is told where nobody handles OBJECT: a condition with the
;; frames of now.
(define (%condition-of object)
  (if (%condition? object)
      object
      (let ((condition (%make-condition 'uncaught "uncaught object raised:"
                                        (list object) object)))
        (%set-condition-trace! condition (%current-trace))
        condition)))

;; Nobody handles OBJECT.
(define (%uncaught object)
  (let ((condition (%condition-of object)))
    (%finish (lambda () (%end-run 'raised condition)))))

(define emergency-exit
  (case-lambda
    (() (%end-run 'exit 0))
    ((code) (%end-run 'exit code))))

(define exit
  (case-lambda
    (() (exit 0))
    ((code) (%finish (lambda () (%end-run 'exit code))))))

;; -- exceptions --------------------------------------------------------------

(define (%raise-in state handlers object)
  (%call-in (%with-handlers state (cdr handlers))
            (lambda () ((car handlers) object))))

(define (raise-continuable object)
  (let* ((state (%dynamic-state))
         (handlers (%dynamic-state-ref state 1)))
    (if (pair? handlers)
        (%raise-in state handlers object)
        (%uncaught object))))

(define (%raise object)
  (let* ((state (%dynamic-state))
         (handlers (%dynamic-state-ref state 1)))
    (if (pair? handlers)
        (begin
          (%raise-in state handlers object)
          (%set-dynamic-state! (%with-handlers state (cdr handlers)))
          (%raise-new (%make-condition 'not-continuable
                                       "the handler returned from raise"
                                       (list object) object)
                      'raise))
        (%uncaught object))))

;; Raise a new CONDITION with the frames of now; WHO is a procedure's name or
;; #f.
(define (%raise-new condition who)
  (%set-condition-who! condition who)
  (%set-condition-trace! condition (%current-trace))
  (%raise condition))

;; Argument INDEX (from 0) of WHO is not a(n) EXPECTED (a string).
(define (%raise-type who index expected got)
  (%raise-new
   (%make-condition 'wrong-type
                    (string-append "argument " (number->string (+ index 1))
                                   ": expected " expected)
                    (list got)
                    (vector index expected))
   who))

(define (%check-procedure who index object)
  (if (not (procedure? object))
      (%raise-type who index "procedure" object)))

(define (with-exception-handler handler thunk)
  (%check-procedure 'with-exception-handler 0 handler)
  (%check-procedure 'with-exception-handler 1 thunk)
  (let ((state (%dynamic-state)))
    (%call-in (%with-handlers state
                              (cons handler (%dynamic-state-ref state 1)))
              thunk)))

;; -- continuations ----------------------------------------------------------

(define (call-with-current-continuation receiver)
  (%check-procedure 'call-with-current-continuation 0 receiver)
  (%call/cc receiver))

(define (dynamic-wind before thunk after)
  (%check-procedure 'dynamic-wind 0 before)
  (%check-procedure 'dynamic-wind 1 thunk)
  (%check-procedure 'dynamic-wind 2 after)
  (before)
  (let* ((state (%dynamic-state))
         (winder (vector before after state)))
    (%set-dynamic-state!
     (%with-winders state (cons winder (%dynamic-state-ref state 0))))
    (call-with-values thunk
      (case-lambda
        ((value) (%set-dynamic-state! state) (after) value)
        (results
         (%set-dynamic-state! state)
         (after)
         (apply values results))))))

(define (%length-from winders n)
  (if (pair? winders) (%length-from (cdr winders) (+ n 1)) n))

(define (%drop winders n)
  (if (> n 0) (%drop (cdr winders) (- n 1)) winders))

(define (%shared-tail a b)
  (if (eq? a b) a (%shared-tail (cdr a) (cdr b))))

(define (%common-winders a b)
  (let ((m (%length-from a 0))
        (n (%length-from b 0)))
    (%shared-tail (%drop a (- m n)) (%drop b (- n m)))))

;; Leave winders, innermost first, until COMMON are left.
(define (%unwind-to common)
  (let ((winders (%winders)))
    (if (not (eq? winders common))
        (let ((winder (car winders)))
          (%set-dynamic-state! (vector-ref winder 2))
          ((vector-ref winder 1))
          (%unwind-to common)))))

;; Enter the winders of TARGET that COMMON lacks, outermost first.
(define (%rewind-to target common)
  (if (not (eq? target common))
      (let ((winder (car target)))
        (%rewind-to (cdr target) common)
        (%set-dynamic-state! (vector-ref winder 2))
        ((vector-ref winder 0)))))

;; The VM's slow path: CONTINUATION, with other winders than the current ones,
;; was given RESULTS.
(define (%rewind continuation results)
  (let* ((here (%dynamic-state))
         (there (%continuation-dynamic-state continuation))
         (ending (%dynamic-state-ref here 3)))
    (if (and ending (not (eq? ending (%dynamic-state-ref there 3))))
        (%finish (car ending))
        (let* ((target (%dynamic-state-ref there 0))
               (common (%common-winders (%dynamic-state-ref here 0) target)))
          (%unwind-to common)
          (%rewind-to target common)
          (%throw continuation results)))))

;; (guard (var clause ...) body ...) is
;; (%guard (lambda () body ...) (lambda (var reraise) clauses ...)): the second
;; runs in the dynamic environment of the guard; reraise, of no arguments,
;; raises again where the exception was raised. A guard with an else clause
;; needs no way back: (%guard-else body (lambda (var) clauses ...)).
(define (%guard body handler)
  ((%call/cc
    (lambda (leave)
      (with-exception-handler
       (lambda (condition)
         ((%call/cc
           (lambda (back)
             (leave
              (lambda ()
                (handler condition
                         (lambda ()
                           (back
                            (lambda () (raise-continuable condition)))))))))))
       (lambda ()
         (call-with-values body
           (case-lambda
             ((value) (lambda () value))
             (results (lambda () (apply values results)))))))))))

(define (%guard-else body handler)
  ((%call/cc
    (lambda (leave)
      (with-exception-handler
       (lambda (condition)
         (leave (lambda () (handler condition))))
       (lambda ()
         (call-with-values body
           (case-lambda
             ((value) (lambda () value))
             (results (lambda () (apply values results)))))))))))
