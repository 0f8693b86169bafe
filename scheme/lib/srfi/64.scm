;;; SRFI 64, the body.

;; Parts of the record are named as the SRFI does: test-runner-pass-count and
;; the like with ! for the setter.
;;> (test-runner? object)
;;> Is OBJECT a runner: counts, names of the open groups, and call-backs?
(define-record-type <test-runner>
  (make-runner)
  test-runner?
  (pass test-runner-pass-count test-runner-pass-count!)
  (fail test-runner-fail-count test-runner-fail-count!)
  (xpass test-runner-xpass-count test-runner-xpass-count!)
  (xfail test-runner-xfail-count test-runner-xfail-count!)
  (skip test-runner-skip-count test-runner-skip-count!)
  (total total-count total-count!)
  (stack test-runner-group-stack test-runner-group-stack!)
  (groups groups groups!)              ; open groups, innermost first
  (run-list run-list run-list!)        ; #t, or what test-apply selects
  (skip-list skip-list skip-list!)
  (fail-list fail-list fail-list!)
  (temporary? temporary? temporary!)
  (final? final? final!)                ; are the results final?
  (alist test-result-alist test-result-alist!)
  (aux test-runner-aux-value test-runner-aux-value!)
  (on-test-begin test-runner-on-test-begin test-runner-on-test-begin!)
  (on-test-end test-runner-on-test-end test-runner-on-test-end!)
  (on-group-begin test-runner-on-group-begin test-runner-on-group-begin!)
  (on-group-end test-runner-on-group-end test-runner-on-group-end!)
  (on-bad-count test-runner-on-bad-count test-runner-on-bad-count!)
  (on-bad-end-name test-runner-on-bad-end-name test-runner-on-bad-end-name!)
  (on-final test-runner-on-final test-runner-on-final!))

;; What is kept of an open group.
(define-record-type <group>
  (make-group name count start skips fails)
  group?
  (name group-name)
  (count group-count)                   ; how many tests are to come, or #f
  (start group-start)                   ; total count at its beginning
  (skips group-skips)                   ; lists to go back to at its end
  (fails group-fails))

;; -- runners --------------------------------------------------------------------

;;> (test-runner-reset runner)
;;> Set all counts to 0 and forget open groups and selections.
(define (test-runner-reset runner)
  (test-runner-pass-count! runner 0)
  (test-runner-fail-count! runner 0)
  (test-runner-xpass-count! runner 0)
  (test-runner-xfail-count! runner 0)
  (test-runner-skip-count! runner 0)
  (total-count! runner 0)
  (test-runner-group-stack! runner '())
  (groups! runner '())
  (final! runner #f)
  (run-list! runner #t)
  (skip-list! runner '())
  (fail-list! runner '())
  (test-result-alist! runner '()))

(define (nothing . arguments) #f)

;;> (test-runner-null)
;;> Return a runner that counts and prints nothing.
(define (test-runner-null)
  (let ((runner (make-runner)))
    (test-runner-reset runner)
    (temporary! runner #f)
    (test-runner-aux-value! runner #f)
    (for-each (lambda (set-call-back!) (set-call-back! runner nothing))
              (list test-runner-on-test-begin! test-runner-on-test-end!
                    test-runner-on-group-begin! test-runner-on-group-end!
                    test-runner-on-bad-count! test-runner-on-bad-end-name!
                    test-runner-on-final!))
    runner))

;;> (test-runner-simple)
;;> Return a runner that prints what does not pass, and a summary.
(define (test-runner-simple)
  (let ((runner (test-runner-null)))
    (test-runner-on-test-begin! runner test-on-test-begin-simple)
    (test-runner-on-test-end! runner test-on-test-end-simple)
    (test-runner-on-group-begin! runner test-on-group-begin-simple)
    (test-runner-on-group-end! runner test-on-group-end-simple)
    (test-runner-on-bad-count! runner test-on-bad-count-simple)
    (test-runner-on-bad-end-name! runner test-on-bad-end-name-simple)
    (test-runner-on-final! runner test-on-final-simple)
    runner))

(define current #f)
(define factory test-runner-simple)

;;> (test-runner-current [runner])
;;> Return the current runner or #f; or make RUNNER the current one.
(define test-runner-current
  (case-lambda
    (() current)
    ((runner) (set! current runner))))

;;> (test-runner-factory [factory])
;;> Return the procedure that makes runners; or set it.
(define test-runner-factory
  (case-lambda
    (() factory)
    ((new) (set! factory new))))

;;> (test-runner-create)
;;> Return a new runner of the current factory.
(define (test-runner-create) (factory))

;;> (test-runner-get)
;;> Return the current runner; it is an error if there is none.
(define (test-runner-get)
  (or current (error "test-runner-get: there is no current test runner")))

;; The current runner; without one, a new one for this test or group.
(define (runner-for-test)
  (if (not current)
      (begin
        (set! current (test-runner-create))
        (temporary! current #t)))
  current)

(define (with-current runner thunk)
  (let ((outer current))
    (dynamic-wind
     (lambda () (set! current runner))
     thunk
     (lambda () (set! current outer)))))

;;> (test-with-runner runner body ...)
;;> Evaluate the body with RUNNER as the current one.
(define-syntax test-with-runner
  (syntax-rules ()
    ((_ runner . body) (with-current runner (lambda () . body)))))

;;> (test-apply [runner] specifier ... thunk)
;;> Call THUNK; of its tests those run that a specifier matches, all of them
;;> without one.
(define (test-apply first . rest)
  (cond ((test-runner? first) (apply-selected first rest))
        (current (apply-selected current (cons first rest)))
        (else
         (let ((runner (test-runner-create)))
           (with-current runner
             (lambda ()
               (apply-selected runner (cons first rest))))
           (finish! runner)))))

(define (apply-selected runner specifiers+thunk)
  (let* ((reversed (reverse specifiers+thunk))
         (specifiers (map ->matcher (cdr reversed)))
         (outer (run-list runner)))
    (dynamic-wind
     (lambda ()
       (if (pair? specifiers) (run-list! runner specifiers)))
     (lambda () (with-current runner (car reversed)))
     (lambda () (run-list! runner outer)))))

;; -- selection ------------------------------------------------------------------

;;> (test-match-name name)
;;> Return a specifier that matches tests of this name.
(define (test-match-name name)
  (lambda (runner) (equal? name (test-runner-test-name runner))))

;;> (test-match-nth n [count])
;;> Return a specifier that matches the N-th test that it is asked about, and
;;> COUNT - 1 after it.
(define test-match-nth
  (case-lambda
    ((n) (test-match-nth n 1))
    ((n count)
     (let ((i 0))
       (lambda (runner)
         (set! i (+ i 1))
         (<= n i (+ n count -1)))))))

;; Asks all of the matchers: some of them count.
(define (answers matchers runner)
  (map (lambda (matches?) (matches? runner)) matchers))

(define (any-true? list)
  (and (pair? list) (or (car list) (any-true? (cdr list)))))

;;> (test-match-any specifier ...)
;;> Return a specifier that matches what one of these does.
(define (test-match-any . specifiers)
  (let ((matchers (map ->matcher specifiers)))
    (lambda (runner) (any-true? (answers matchers runner)))))

;;> (test-match-all specifier ...)
;;> Return a specifier that matches what all of these do.
(define (test-match-all . specifiers)
  (let ((matchers (map ->matcher specifiers)))
    (lambda (runner) (not (memq #f (answers matchers runner))))))

;; A number stands for the next tests, a string for those of that name.
(define (->matcher specifier)
  (cond ((procedure? specifier) specifier)
        ((exact-integer? specifier) (test-match-nth 1 specifier))
        ((string? specifier) (test-match-name specifier))
        (else (error "not a test specifier" specifier))))

;;> (test-skip specifier ...)
;;> Do not run the tests that all of these match, up to the end of the group.
(define (test-skip . specifiers)
  (let* ((matcher (apply test-match-all specifiers))
         (runner (runner-for-test)))
    (skip-list! runner (cons matcher (skip-list runner)))))

;;> (test-expect-fail specifier ...)
;;> Expect that the tests that all of these match fail, up to the end of the
;;> group.
(define (test-expect-fail . specifiers)
  (let* ((matcher (apply test-match-all specifiers))
         (runner (runner-for-test)))
    (fail-list! runner (cons matcher (fail-list runner)))))

;; Is the test whose name is in the results to be run?
(define (selected? runner)
  (let* ((run (or (eq? (run-list runner) #t)
                  (any-true? (answers (run-list runner) runner))))
         (skip (any-true? (answers (skip-list runner) runner))))
    (and run (not skip))))

(define (failure-expected? runner)
  (any-true? (answers (fail-list runner) runner)))

;; -- results --------------------------------------------------------------------

;;> (test-result-ref runner property [default])
;;> Return a property of the last test, or DEFAULT (#f).
(define test-result-ref
  (case-lambda
    ((runner property) (test-result-ref runner property #f))
    ((runner property default)
     (let ((entry (assq property (test-result-alist runner))))
       (if entry (cdr entry) default)))))

;;> (test-result-set! runner property value)
;;> Set a property of the last test.
(define (test-result-set! runner property value)
  (test-result-remove runner property)
  (test-result-alist! runner
                      (cons (cons property value)
                            (test-result-alist runner))))

;;> (test-result-remove runner property)
;;> Remove a property of the last test.
(define (test-result-remove runner property)
  (let loop ((rest (test-result-alist runner)) (out '()))
    (cond ((null? rest) (test-result-alist! runner (reverse out)))
          ((eq? (caar rest) property) (loop (cdr rest) out))
          (else (loop (cdr rest) (cons (car rest) out))))))

;;> (test-result-clear runner)
;;> Remove all properties of the last test.
(define (test-result-clear runner) (test-result-alist! runner '()))

;;> (test-result-kind [runner])
;;> Return pass, fail, xpass, xfail or skip for the last test, else #f.
(define (test-result-kind . rest)
  (test-result-ref (if (pair? rest) (car rest) (test-runner-get))
                   'result-kind))

;;> (test-passed? [runner])
;;> Has the last test passed, expectedly or not?
(define (test-passed? . rest)
  (if (memq (apply test-result-kind rest) '(pass xpass)) #t #f))

;;> (test-runner-test-name runner)
;;> Return the name of the last test, a string.
(define (test-runner-test-name runner)
  (test-result-ref runner 'test-name ""))

;;> (test-runner-group-path runner)
;;> Return the names of the open groups, outermost first.
(define (test-runner-group-path runner)
  (reverse (test-runner-group-stack runner)))

(define (count-result! runner kind)
  (define (increment! ref set) (set runner (+ 1 (ref runner))))
  (increment! total-count total-count!)
  (case kind
    ((pass) (increment! test-runner-pass-count test-runner-pass-count!))
    ((fail) (increment! test-runner-fail-count test-runner-fail-count!))
    ((xpass) (increment! test-runner-xpass-count test-runner-xpass-count!))
    ((xfail) (increment! test-runner-xfail-count test-runner-xfail-count!))
    (else (increment! test-runner-skip-count test-runner-skip-count!))))

;; -- assertions -----------------------------------------------------------------

;; Run one test: (body runner) notes values and answers whether it passed.
(define (run-test name form body)
  (let ((runner (runner-for-test)))
    (final! runner #f)
    (test-result-alist! runner (list (cons 'test-name name)
                                     (cons 'source-form form)))
    (let* ((run? (selected? runner))
           (expected? (not (failure-expected? runner))))
      (test-result-set! runner 'result-kind
                        (cond ((not run?) 'skip)
                              (expected? #f)
                              (else 'xfail)))
      ((test-runner-on-test-begin runner) runner)
      (if (and run? (not (eq? (test-result-kind runner) 'skip)))
          (test-result-set! runner 'result-kind
                            (if (guarded body runner)
                                (if expected? 'pass 'xpass)
                                (if expected? 'fail 'xfail))))
      (count-result! runner (test-result-kind runner))
      ((test-runner-on-test-end runner) runner)
      (finish-temporary runner))))

(define (guarded body runner)
  (guard (condition (#t (test-result-set! runner 'actual-error condition) #f))
    (body runner)))

;; The results are final, once.
(define (finish! runner)
  (if (not (final? runner))
      (begin
        (final! runner #t)
        ((test-runner-on-final runner) runner))))

;; A runner made for a single test outside of any group ends with it.
(define (finish-temporary runner)
  (if (and (temporary? runner)
           (eq? runner current)
           (null? (groups runner)))
      (begin
        (finish! runner)
        (set! current #f))))

(define (compare same? expected thunk)
  (lambda (runner)
    (let ((wanted (expected)))
      (test-result-set! runner 'expected-value wanted)
      (let ((value (thunk)))
        (test-result-set! runner 'actual-value value)
        (same? wanted value)))))

;;> (test-assert [name] expression)
;;> Pass if EXPRESSION is true.
(define-syntax test-assert
  (syntax-rules ()
    ((_ expression) (test-assert "" expression))
    ((_ name expression)
     (run-test name '(test-assert expression)
               (lambda (runner)
                 (let ((value expression))
                   (test-result-set! runner 'actual-value value)
                   value))))))

(define-syntax define-comparison
  (syntax-rules ()
    ((_ name same?)
     (define-syntax name
       (syntax-rules ()
         ((_ expected expression) (name "" expected expression))
         ((_ text expected expression)
          (run-test text '(name expected expression)
                    (compare same?
                             (lambda () expected)
                             (lambda () expression)))))))))

;;> (test-equal [name] expected expression)
;;> Pass if EXPRESSION's value is equal? to EXPECTED.
(define-comparison test-equal equal?)

;;> (test-eqv [name] expected expression)
;;> Pass if EXPRESSION's value is eqv? to EXPECTED.
(define-comparison test-eqv eqv?)

;;> (test-eq [name] expected expression)
;;> Pass if EXPRESSION's value is eq? to EXPECTED.
(define-comparison test-eq eq?)

(define (within error)
  (lambda (expected value)
    (<= (- expected error) value (+ expected error))))

;;> (test-approximate [name] expected expression error)
;;> Pass if EXPRESSION's value differs from EXPECTED by at most ERROR.
(define-syntax test-approximate
  (syntax-rules ()
    ((_ expected expression error)
     (test-approximate "" expected expression error))
    ((_ name expected expression error)
     (run-test name '(test-approximate expected expression error)
               (compare (within error)
                        (lambda () expected)
                        (lambda () expression))))))

;; Is the raised object of this type: #t for any, a predicate or condition type?
(define (error-matches? type object)
  (cond ((condition-type? type)
         (and (condition? object) (condition-has-type? object type)))
        ((procedure? type) (type object))
        (else type)))

(define (expect-error type thunk)
  (lambda (runner)
    (test-result-set! runner 'expected-error type)
    (guard (object
            (#t
             (test-result-set! runner 'actual-error object)
             (error-matches? type object)))
      (test-result-set! runner 'actual-value (thunk))
      #f)))

;;> (test-error [[name] type] expression)
;;> Pass if EXPRESSION raises an object of TYPE: #t for any, a predicate or a
;;> condition type.
(define-syntax test-error
  (syntax-rules ()
    ((_ expression) (test-error "" #t expression))
    ((_ type expression)
     (let ((given type))
       (if (string? given)
           (test-error given #t expression)
           (test-error "" given expression))))
    ((_ name type expression)
     (run-test name '(test-error type expression)
               (expect-error type (lambda () expression))))))

;;> (test-read-eval-string string)
;;> Evaluate the one datum that STRING has.
(define (test-read-eval-string string)
  (let* ((port (open-input-string string))
         (form (read port)))
    (if (not (eof-object? (read-char port)))
        (error "test-read-eval-string: more than a datum" string))
    (eval form (interaction-environment))))

;; -- groups ---------------------------------------------------------------------

;;> (test-begin name [count])
;;> Open a group, in which COUNT tests are to be; without a current runner make
;;> one.
(define test-begin
  (case-lambda
    ((name) (test-begin name #f))
    ((name count)
     (let ((runner (runner-for-test)))
       ((test-runner-on-group-begin runner) runner name count)
       (groups! runner
                (cons (make-group name count (total-count runner)
                                  (skip-list runner) (fail-list runner))
                      (groups runner)))
       (test-runner-group-stack! runner
                                 (cons name
                                       (test-runner-group-stack runner)))))))

(define (check-end runner group name)
  (let ((count (- (total-count runner) (group-start group))))
    (if (and name (not (equal? name (group-name group))))
        ((test-runner-on-bad-end-name runner) runner name (group-name group)))
    (if (and (group-count group) (not (= count (group-count group))))
        ((test-runner-on-bad-count runner) runner count
                                           (group-count group)))))

;;> (test-end [name])
;;> Close the group; behind the outermost one the runner's results are final.
(define (test-end . rest)
  (let ((runner (test-runner-get)))
    (if (null? (groups runner)) (error "test-end: no group is open"))
    (let ((group (car (groups runner))))
      (check-end runner group (and (pair? rest) (car rest)))
      ((test-runner-on-group-end runner) runner)
      (groups! runner (cdr (groups runner)))
      (test-runner-group-stack! runner (cdr (test-runner-group-stack runner)))
      (skip-list! runner (group-skips group))
      (fail-list! runner (group-fails group))
      (if (null? (groups runner))
          (if (temporary? runner)
              (finish-temporary runner)
              (finish! runner))))))

(define (run-group name thunk)
  (let ((runner (runner-for-test)))
    (test-result-alist! runner (list (cons 'test-name name)))
    (if (not (any-true? (answers (skip-list runner) runner)))
        (dynamic-wind
         (lambda () (test-begin name))
         thunk
         (lambda () (test-end name))))))

;;> (test-group name body ...)
;;> Evaluate the body as a group.
(define-syntax test-group
  (syntax-rules ()
    ((_ name . body) (run-group name (lambda () . body)))))

;;> (test-group-with-cleanup name body ... cleanup)
;;> The same; CLEANUP is evaluated at the end in any case.
(define-syntax test-group-with-cleanup
  (syntax-rules ()
    ((_ name form ... cleanup)
     (test-group name
       (dynamic-wind
        (lambda () #f)
        (lambda () #f form ...)
        (lambda () cleanup))))))

;; -- the simple runner ----------------------------------------------------------

(define (print . objects)
  (for-each display objects)
  (newline))

;;> (test-on-test-begin-simple runner)
;;> What the simple runner does before a test: nothing.
(define (test-on-test-begin-simple runner) #f)

(define (print-property runner property)
  (let ((entry (assq property (test-result-alist runner))))
    (if entry
        (begin
          (display "  ")
          (display property)
          (display ": ")
          (write (error-text (cdr entry)))
          (newline)))))

;; What is written of a raised object.
(define (error-text object)
  (if (error-object? object)
      (cons (error-object-message object) (error-object-irritants object))
      object))

;;> (test-on-test-end-simple runner)
;;> Print a test that failed, or passed against expectation.
(define (test-on-test-end-simple runner)
  (let ((kind (test-result-kind runner)))
    (if (memq kind '(fail xpass))
        (begin
          (print (if (eq? kind 'fail) "FAIL" "XPASS") " "
                 (test-runner-test-name runner))
          (for-each (lambda (property) (print-property runner property))
                    '(source-form expected-value expected-error actual-value
                      actual-error))))))

;;> (test-on-group-begin-simple runner name count)
;;> Print the name of an outermost group.
(define (test-on-group-begin-simple runner name count)
  (if (null? (groups runner)) (print "%%%% Starting test " name)))

;;> (test-on-group-end-simple runner)
;;> What the simple runner does at the end of a group: nothing.
(define (test-on-group-end-simple runner) #f)

;;> (test-on-bad-count-simple runner count expected)
;;> Print that a group had another number of tests than it said.
(define (test-on-bad-count-simple runner count expected)
  (print "*** Total number of tests was " count " but should be " expected
         ". ***"))

;;> (test-on-bad-end-name-simple runner name expected)
;;> An error: test-end named another group than the open one.
(define (test-on-bad-end-name-simple runner name expected)
  (error "test-end: this is not the name of the open group" name expected))

(define (print-count text count)
  (if (> count 0) (print "# of " text count)))

;;> (test-on-final-simple runner)
;;> Print the counts.
(define (test-on-final-simple runner)
  (print-count "expected passes      " (test-runner-pass-count runner))
  (print-count "expected failures    " (test-runner-xfail-count runner))
  (print-count "unexpected successes " (test-runner-xpass-count runner))
  (print-count "unexpected failures  " (test-runner-fail-count runner))
  (print-count "skipped tests        " (test-runner-skip-count runner)))
