;;; SRFI 165, the body.

(define-record-type environment-variable
  (%make-variable name default immutable?)
  environment-variable?
  (name variable-name)
  (default variable-default)
  (immutable? variable-immutable?))

(define-record-type environment
  (make-environment bindings)
  environment?
  (bindings environment-bindings set-environment-bindings!))

;;> (make-computation-environment-variable name default immutable?)
;;> Return a new variable with this value in environments that do not say another one.
(define (make-computation-environment-variable name default immutable?)
  (%make-variable name default immutable?))

;;> (make-computation-environment)
;;> Return an environment in which all variables have their default values.
(define (make-computation-environment) (make-environment '()))

;;> (computation-environment-ref environment variable)
;;> Return the value of VARIABLE.
;;> (let ((v (make-computation-environment-variable 'v 1 #f)))
;;>   (computation-environment-ref (make-computation-environment) v)) => 1
(define (computation-environment-ref environment variable)
  (let ((pair (assq variable (environment-bindings environment))))
    (if pair (cdr pair) (variable-default variable))))

;;> (computation-environment-update environment variable value ...)
;;> Return an environment with these values too; later changes of ENVIRONMENT and of it
;;> are not seen in the other.
(define (computation-environment-update environment . updates)
  (let loop ((updates updates)
             (bindings (environment-bindings
                        (computation-environment-copy environment))))
    (if (null? updates)
        (make-environment bindings)
        (loop (cddr updates)
              (cons (cons (car updates) (cadr updates)) bindings)))))

;;> (computation-environment-update! environment variable value)
;;> Change the value of VARIABLE, which is no immutable one.
(define (computation-environment-update! environment variable value)
  (if (variable-immutable? variable)
      (error "the environment variable is immutable" (variable-name variable)))
  (let ((pair (assq variable (environment-bindings environment))))
    (if pair
        (set-cdr! pair value)
        (set-environment-bindings!
         environment
         (cons (cons variable value) (environment-bindings environment))))))

;;> (computation-environment-copy environment)
;;> Return a copy.
(define (computation-environment-copy environment)
  (make-environment
   (let loop ((bindings (environment-bindings environment)) (seen '()))
     (cond ((null? bindings) '())
           ((memq (caar bindings) seen) (loop (cdr bindings) seen))
           (else
            (cons (cons (caar bindings) (cdar bindings))
                  (loop (cdr bindings) (cons (caar bindings) seen))))))))

;;> default-computation
;;> The variable whose value makes computations of what is none.
(define default-computation
  (make-computation-environment-variable 'default-computation #f #f))

(define (execute computation environment)
  (if (procedure? computation)
      (computation environment)
      (let ((make (computation-environment-ref environment default-computation)))
        (if (not make) (error "not a computation" computation))
        (execute (make computation) environment))))

;;> (make-computation procedure)
;;> Return the computation that calls PROCEDURE with a procedure that does computations in
;;> the environment of this one.
;;> (computation-run (make-computation (lambda (compute) (compute (computation-pure 1))))) => 1
(define (make-computation procedure)
  (lambda (environment)
    (procedure (lambda (computation) (execute computation environment)))))

;;> (computation-run computation)
;;> Do COMPUTATION in a new environment. (computation-run (computation-pure 1)) => 1
(define (computation-run computation)
  (execute computation (make-computation-environment)))

;;> (computation-ask)
;;> The computation whose result is the environment.
(define (computation-ask) (lambda (environment) environment))

;;> (computation-local updater computation)
;;> COMPUTATION in the environment that UPDATER makes of this one.
(define (computation-local updater computation)
  (lambda (environment) (execute computation (updater environment))))

;;> (computation-pure object ...)
;;> The computation whose results are the OBJECTs.
(define (computation-pure . objects)
  (lambda (environment) (apply values objects)))

;;> (computation-each computation ...), (computation-each-in-list list)
;;> One after the other; the results are those of the last.
;;> (computation-run (computation-each (computation-pure 1) (computation-pure 2))) => 2
(define (computation-each first . rest) (computation-each-in-list (cons first rest)))
(define (computation-each-in-list computations)
  (lambda (environment)
    (let loop ((rest computations))
      (if (null? (cdr rest))
          (execute (car rest) environment)
          (begin
            (execute (car rest) environment)
            (loop (cdr rest)))))))

;;> (computation-bind computation procedure ...)
;;> COMPUTATION, then that which PROCEDURE makes of its results, and so on.
;;> (computation-run (computation-bind (computation-pure 1)
;;>                                    (lambda (x) (computation-pure (+ x 1))))) => 2
(define (computation-bind computation . procedures)
  (lambda (environment)
    (let loop ((computation computation) (procedures procedures))
      (if (null? procedures)
          (execute computation environment)
          (loop (call-with-values (lambda () (execute computation environment))
                  (car procedures))
                (cdr procedures))))))

;;> (computation-sequence list)
;;> All of them; the result is the list of their results.
;;> (computation-run (computation-sequence (map computation-pure '(1 2)))) => (1 2)
(define (computation-sequence computations)
  (lambda (environment)
    (let loop ((rest computations) (results '()))
      (if (null? rest)
          (reverse results)
          (loop (cdr rest) (cons (execute (car rest) environment) results))))))

;;> (computation-forked computation ...)
;;> One after the other, all but the last in copies of the environment.
(define (computation-forked first . rest)
  (lambda (environment)
    (let loop ((computation first) (rest rest))
      (if (null? rest)
          (execute computation environment)
          (begin
            (execute computation (computation-environment-copy environment))
            (loop (car rest) (cdr rest)))))))

;;> (computation-bind/forked computation procedure ...)
;;> As computation-bind; COMPUTATION is done in a copy of the environment.
(define (computation-bind/forked computation . procedures)
  (apply computation-bind
         (lambda (environment)
           (execute computation (computation-environment-copy environment)))
         procedures))

;;> (computation-fn ((name variable) ...) expression ... computation)
;;> The computation that the last expression makes, with the NAMEs bound to the values of
;;> the variables; (variable) or VARIABLE alone is bound under its own name.
(define-syntax computation-fn
  (syntax-rules ()
    ((_ clauses expression ...)
     (fn-clauses clauses () expression ...))))

(define-syntax fn-clauses
  (syntax-rules ()
    ((_ ((name variable) . clauses) (done ...) . body)
     (fn-clauses clauses (done ... (name variable)) . body))
    ((_ ((name) . clauses) (done ...) . body)
     (fn-clauses clauses (done ... (name name)) . body))
    ((_ (name . clauses) (done ...) . body)
     (fn-clauses clauses (done ... (name name)) . body))
    ((_ () ((name variable) ...) expression ...)
     (lambda (environment)
       (execute
        (let ((name (computation-environment-ref environment variable)) ...)
          expression ...)
        environment)))))

;;> (computation-with ((variable value) ...) computation ...)
;;> The computations where the variables have these values.
(define-syntax computation-with
  (syntax-rules ()
    ((_ ((variable value) ...) computation ...)
     (let ((inner (computation-each computation ...))
           (updates (append (list variable value) ...)))
       (lambda (environment)
         (execute inner
                  (apply computation-environment-update environment updates)))))))

;;> (computation-with! (variable value) ...)
;;> The computation that changes the values of the variables.
(define-syntax computation-with!
  (syntax-rules ()
    ((_ (variable value) ...)
     (lambda (environment)
       (computation-environment-update! environment variable value) ...))))

;;> (define-computation-type make-environment run clause ...)
;;> Define MAKE-ENVIRONMENT and RUN, and variables: a clause is (variable default),
;;> (variable default "immutable") or VARIABLE alone.
(define-syntax define-computation-type
  (syntax-rules ()
    ((_ make run clause ...)
     (begin
       (define (make) (make-computation-environment))
       (define (run computation) (execute computation (make)))
       (define-type-variable clause) ...))))

(define-syntax define-type-variable
  (syntax-rules ()
    ((_ (name default immutable))
     (define name (make-computation-environment-variable 'name default #t)))
    ((_ (name default))
     (define name (make-computation-environment-variable 'name default #f)))
    ((_ name)
     (define name (make-computation-environment-variable 'name #f #f)))))
