;;; SRFI 78, the body.

(define modes '(off summary report-failed report))
(define mode 'report)
(define correct 0)

;; The failed checks, the last one first: (expression value expected).
(define failures '())

;;> (check-set-mode! mode)
;;> Say what checks print: 'off (they are not evaluated), 'summary (nothing),
;;> 'report-failed or 'report (everything, as at first).
(define (check-set-mode! new)
  (if (not (memq new modes))
      (error "check-set-mode!: not one of these modes" modes new))
  (set! mode new))

;;> (check-reset!)
;;> Forget the checks so far.
(define (check-reset!)
  (set! correct 0)
  (set! failures '()))

;;> (check-passed? n)
;;> Have N checks passed and none failed?
(define (check-passed? n)
  (and (null? failures) (= correct n)))

(define (checking?) (not (eq? mode 'off)))

(define (print-value expression value)
  (newline)
  (write expression)
  (display " => ")
  (write value))

(define (print-failure expression value expected)
  (print-value expression value)
  (display " ; *** failed ***")
  (newline)
  (display " ; expected result: ")
  (write expected)
  (newline))

(define (print-correct expression value cases)
  (print-value expression value)
  (display " ; correct")
  (if (not (= cases 1))
      (begin
        (display " (")
        (display cases)
        (display " cases checked)")))
  (newline))

(define (passed! expression value cases)
  (set! correct (+ correct 1))
  (if (eq? mode 'report) (print-correct expression value cases)))

(define (failed! expression value expected)
  (set! failures (cons (list expression value expected) failures))
  (if (memq mode '(report report-failed))
      (print-failure expression value expected)))

;;> (check-report)
;;> Print how many checks were correct and how many failed, and the first that
;;> failed.
(define (check-report)
  (if (checking?)
      (begin
        (newline)
        (display "; *** checks *** : ")
        (display correct)
        (display " correct, ")
        (display (length failures))
        (display " failed.")
        (if (pair? failures)
            (let ((first (car (reverse failures))))
              (display " First failed example:")
              (newline)
              (apply print-failure first))
            (newline)))))

;;> (check expression => expected)
;;> (check expression (=> same?) expected)
;;> Evaluate EXPRESSION and check that its value is EXPECTED, by equal? or SAME?.
(define-syntax check
  (syntax-rules (=>)
    ((_ expression => expected)
     (check expression (=> equal?) expected))
    ((_ expression (=> same?) expected)
     (if (checking?)
         (check-one 'expression (lambda () expression) same? expected)))))

(define (check-one expression thunk same? expected)
  (let ((value (thunk)))
    (if (same? value expected)
        (passed! expression value 1)
        (failed! expression value expected))))

;; -- check-ec -------------------------------------------------------------------

;;> (check-ec qualifier ... expression => expected argument ...)
;;> (check-ec qualifier ... expression (=> same?) expected argument ...)
;;> Check for all values that the qualifiers say, up to the first failure, which
;;> is reported with the arguments; that is one check.
(define-syntax check-ec
  (syntax-rules ()
    ((_ . parts) (if (checking?) (split-ec () . parts)))))

;; The qualifiers in front of the expression that the arrow follows.
(define-syntax split-ec
  (syntax-rules (=>)
    ((_ qualifiers expression => expected . arguments)
     (run-ec qualifiers expression equal? expected . arguments))
    ((_ qualifiers expression (=> same?) expected . arguments)
     (run-ec qualifiers expression same? expected . arguments))
    ((_ (qualifier ...) next . parts)
     (split-ec (qualifier ... next) . parts))))

(define-syntax run-ec
  (syntax-rules ()
    ((_ qualifiers expression same? expected argument ...)
     (check-all
      'expression
      (lambda (stop count!)
        (each-ec qualifiers
                 (let ((value expression)
                       (wanted expected))
                   (count! value)
                   (if (not (same? value wanted))
                       (stop (list (list 'let
                                         (list (list 'argument argument) ...)
                                         'expression)
                                   value
                                   wanted))))))))))

;; Run the body for all values; it calls (stop failure) or has passed.
(define (check-all expression body)
  (let* ((cases 0)
         (last #f)
         (failure (call-with-current-continuation
                   (lambda (stop)
                     (body stop
                           (lambda (value)
                             (set! cases (+ cases 1))
                             (set! last value)))
                     #f))))
    (if failure
        (apply failed! failure)
        (passed! expression last cases))))

(define-syntax each-ec
  (syntax-rules (if not and or begin nested : :let :range :integers :list
                 :vector :string)
    ((_ () body) body)
    ((_ ((nested . inner) . more) body)
     (each-ec inner (each-ec more body)))
    ((_ ((if test) . more) body) (if test (each-ec more body)))
    ((_ ((not test) . more) body) (if (not test) (each-ec more body)))
    ((_ ((and . tests) . more) body) (if (and . tests) (each-ec more body)))
    ((_ ((or . tests) . more) body) (if (or . tests) (each-ec more body)))
    ((_ ((begin . effects) . more) body)
     (begin (begin . effects) (each-ec more body)))
    ((_ ((:let name value) . more) body)
     (let ((name value)) (each-ec more body)))
    ((_ ((:integers name) . more) body)
     (let loop ((name 0)) (each-ec more body) (loop (+ name 1))))
    ((_ ((: name . arguments) . more) body)
     (for-each (lambda (name) (each-ec more body)) (elements . arguments)))
    ((_ ((:range name . arguments) . more) body)
     (for-each (lambda (name) (each-ec more body)) (range . arguments)))
    ((_ ((:list name . lists) . more) body)
     (for-each (lambda (name) (each-ec more body)) (elements . lists)))
    ((_ ((:vector name . vectors) . more) body)
     (for-each (lambda (name) (each-ec more body)) (elements . vectors)))
    ((_ ((:string name . strings) . more) body)
     (for-each (lambda (name) (each-ec more body)) (elements . strings)))))

(define (range first . rest)
  (let ((start (if (pair? rest) first 0))
        (stop (if (pair? rest) (car rest) first))
        (step (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) 1)))
    (let loop ((n start) (out '()))
      (if (if (< step 0) (> n stop) (< n stop))
          (loop (+ n step) (cons n out))
          (reverse out)))))

;; The elements of sequences, or of a range of numbers.
(define (elements . arguments)
  (if (and (pair? arguments) (number? (car arguments)))
      (apply range arguments)
      (apply append (map ->list arguments))))

(define (->list object)
  (cond ((list? object) object)
        ((vector? object) (vector->list object))
        ((string? object) (string->list object))
        (else (error "check-ec: not a list, vector or string" object))))
