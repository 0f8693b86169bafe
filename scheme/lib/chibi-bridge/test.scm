;;; (chibi-bridge test), the body. Every assertion is a macro over `check`,
;;; which is given thunks, so that an error in one fails it and no more.

(define passed 0)
(define failed 0)
(define groups '())

;;> (test-passed-count)
;;> Return how many assertions have passed so far.
(define (test-passed-count) passed)

;;> (test-failed-count)
;;> Return how many assertions have failed so far.
(define (test-failed-count) failed)

;;> (current-test-epsilon)
;;> A parameter: how much, relatively, an inexact number may differ from the
;;> expected one.
(define current-test-epsilon (make-parameter 1e-5))

(define (close? expected got)
  (let ((difference (abs (- expected got)))
        (epsilon (current-test-epsilon)))
    (or (< difference epsilon)
        (< difference (* epsilon (abs expected))))))

(define (same-number? expected got)
  (cond ((eqv? expected got) #t)
        ((not (and (inexact? expected) (number? got))) #f)
        ((not (and (real? expected) (real? got))) (= expected got))
        ((not (= expected expected)) (not (= got got)))
        ((= expected got) #t)
        (else (close? expected got))))

;; Like equal?, with inexact numbers compared by same-number?.
(define (same? expected got)
  (cond ((number? expected) (same-number? expected got))
        ((pair? expected)
         (and (pair? got)
              (or (equal? expected got)
                  (and (same? (car expected) (car got))
                       (same? (cdr expected) (cdr got))))))
        ((vector? expected)
         (and (vector? got)
              (= (vector-length expected) (vector-length got))
              (same? (vector->list expected) (vector->list got))))
        (else (equal? expected got))))

;;> (current-test-comparator)
;;> A parameter: the procedure that compares the expected value with the one got.
(define current-test-comparator (make-parameter same?))

;;> (current-test-verbosity)
;;> A parameter: if true, assertions that pass are reported too.
(define current-test-verbosity (make-parameter #f))

;;> (current-test-group)
;;> Return the name of the innermost group, or #f.
(define (current-test-group) (if (pair? groups) (car groups) #f))

(define (written object)
  (let ((port (open-output-string)))
    (write object port)
    (get-output-string port)))

(define (condition-text condition)
  (if (error-object? condition)
      (let ((port (open-output-string)))
        (display (error-object-message condition) port)
        (for-each (lambda (irritant)
                    (write-string " " port)
                    (write irritant port))
                  (error-object-irritants condition))
        (get-output-string port))
      (written condition)))

(define (pass! name)
  (set! passed (+ passed 1))
  (if (current-test-verbosity)
      (begin
        (write-string "PASS ")
        (write-name name)
        (newline))))

(define (fail! name text)
  (set! failed (+ failed 1))
  (write-string "FAIL ")
  (write-name name)
  (write-string ": ")
  (write-string text)
  (newline))

;; NAME behind those of the groups it is in.
(define (write-name name)
  (for-each (lambda (group)
              (display group)
              (write-string ": "))
            (reverse groups))
  (if (string? name) (write-string name) (write name)))

;; THUNK's value as (value . v), or (raised . object).
(define (outcome thunk)
  (guard (condition (#t (cons 'raised condition)))
    (cons 'value (thunk))))

(define (raised? outcome) (eq? (car outcome) 'raised))

(define (check-same name expected-thunk thunk)
  (let ((expected (outcome expected-thunk))
        (got (outcome thunk)))
    (cond ((raised? expected)
           (fail! name (string-append "the expected value raised "
                                      (condition-text (cdr expected)))))
          ((raised? got)
           (fail! name (string-append "expected " (written (cdr expected))
                                      " but raised "
                                      (condition-text (cdr got)))))
          (((current-test-comparator) (cdr expected) (cdr got)) (pass! name))
          (else
           (fail! name (string-append "expected " (written (cdr expected))
                                      " but got " (written (cdr got))))))))

(define (check-true name thunk)
  (let ((got (outcome thunk)))
    (cond ((raised? got)
           (fail! name (string-append "raised " (condition-text (cdr got)))))
          ((cdr got) (pass! name))
          (else (fail! name "is false")))))

(define (check-raises name thunk)
  (let ((got (outcome thunk)))
    (if (raised? got)
        (pass! name)
        (fail! name (string-append "expected an error but got "
                                   (written (cdr got)))))))

;;> (test [name] expected expression)
;;> Pass if EXPRESSION's value is EXPECTED, inexact numbers approximately.
(define-syntax test
  (syntax-rules ()
    ((_ expected expression) (test 'expression expected expression))
    ((_ name expected expression)
     (check-same name (lambda () expected) (lambda () expression)))))

;;> (test-equal [name] expected expression)
;;> The same as test.
(define-syntax test-equal
  (syntax-rules ()
    ((_ argument ...) (test argument ...))))

;;> (test-assert [name] expression)
;;> Pass if EXPRESSION is true.
(define-syntax test-assert
  (syntax-rules ()
    ((_ expression) (test-assert 'expression expression))
    ((_ name expression) (check-true name (lambda () expression)))))

;;> (test-not [name] expression)
;;> Pass if EXPRESSION is false.
(define-syntax test-not
  (syntax-rules ()
    ((_ expression) (test-assert 'expression (not expression)))
    ((_ name expression) (test-assert name (not expression)))))

;;> (test-error [name] expression)
;;> Pass if EXPRESSION raises an object.
(define-syntax test-error
  (syntax-rules ()
    ((_ expression) (test-error 'expression expression))
    ((_ name expression) (check-raises name (lambda () expression)))))

;;> (test-values [name] expected expression)
;;> Pass if both expressions give the same values, however many.
(define-syntax test-values
  (syntax-rules ()
    ((_ expected expression) (test-values 'expression expected expression))
    ((_ name expected expression)
     (test name
           (call-with-values (lambda () expected) list)
           (call-with-values (lambda () expression) list)))))

;;> (test-begin [name])
;;> Open a group of assertions.
(define (test-begin . name)
  (set! groups (cons (if (pair? name) (car name) "tests") groups)))

;;> (test-end [name])
;;> Close a group; the outermost one reports the counts.
(define (test-end . name)
  (if (pair? groups) (set! groups (cdr groups)))
  (if (null? groups) (report)))

(define (report)
  (display passed)
  (write-string " passed, ")
  (display failed)
  (write-string " failed")
  (newline))

;;> (test-group name body ...)
;;> Evaluate BODY with NAME in front of its failures.
(define-syntax test-group
  (syntax-rules ()
    ((_ name body ...)
     (begin
       (test-begin name)
       (group-body name (lambda () body ...))
       (test-end name)))))

(define (group-body name thunk)
  (let ((got (outcome (lambda () (thunk) #t))))
    (if (raised? got)
        (fail! "the group" (string-append "raised "
                                          (condition-text (cdr got)))))))

;;> (test-exit)
;;> End the program: with 0 if all assertions passed, else with 1.
(define (test-exit)
  (exit (if (= failed 0) 0 1)))
