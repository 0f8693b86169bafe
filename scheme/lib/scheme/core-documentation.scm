;;; Texts about R7RS-small's syntax and about those of its procedures that the
;;; engine's boot files define. No library includes this file: the reader of
;;; documentation looks here last.

;; -- syntax -------------------------------------------------------------------

;;> (quote datum)
;;> Return DATUM as it is written; 'datum is the same. (quote (a b)) => (a b)

;;> (quasiquote template)
;;> Return TEMPLATE, where ,expression is replaced by a value and ,@expression by
;;> the elements of a list; `template is the same. `(1 ,(+ 1 1) ,@(list 3)) =>
;;> (1 2 3)

;;> (unquote expression)
;;> (unquote-splicing expression)
;;> Within quasiquote: insert the value, or the elements of a list.

;;> (lambda formals body ...)
;;> Return a procedure. FORMALS is (a b), (a . rest) or rest.
;;> ((lambda (x . more) (list x more)) 1 2) => (1 (2))

;;> (define name expression)
;;> (define (name argument ...) body ...)
;;> Define a variable or a procedure, at top level or at the begin of a body.

;;> (define-values formals expression)
;;> Define several variables by the values of one expression.

;;> (define-syntax name transformer)
;;> Define a macro; the transformer is a syntax-rules form.

;;> (define-record-type name (constructor field ...) predicate
;;>   (field accessor [modifier]) ...)
;;> Define a type of records with its procedures. CONSTRUCTOR and PREDICATE may be
;;> #f.

;;> (set! name expression)
;;> Give a variable that is there a new value.

;;> (if test then [else])
;;> Evaluate THEN if TEST is true, that is, anything but #f; else ELSE.

;;> (cond (test expression ...) ... [(else expression ...)])
;;> Take the first clause whose test is true. In (test => procedure) the procedure
;;> gets the value of the test.

;;> (case key ((datum ...) expression ...) ... [(else expression ...)])
;;> Take the first clause that has the value of KEY, by eqv?, among its data.

;;> (when test body ...)
;;> (unless test body ...)
;;> Evaluate the body if TEST is true (is #f).

;;> (or test ...)
;;> Return the first true value, else #f.

;;> (and test ...)
;;> Return #f at the first false value, else the last one.

;;> (let ((name value) ...) body ...)
;;> (let loop ((name value) ...) body ...)
;;> Evaluate the body with new variables. With a name, (loop value ...) evaluates
;;> it again: this is how loops are written.
;;> (let loop ((i 0) (sum 0)) (if (= i 4) sum (loop (+ i 1) (+ sum i)))) => 6

;;> (let* ((name value) ...) body ...)
;;> As let, but each value sees the variables in front of it.

;;> (letrec ((name value) ...) body ...)
;;> (letrec* ((name value) ...) body ...)
;;> As let, but the values, procedures for the most part, see all the variables.

;;> (let-values ((formals expression) ...) body ...)
;;> (let*-values ((formals expression) ...) body ...)
;;> As let and let*, for expressions with several values.

;;> (let-syntax ((name transformer) ...) body ...)
;;> (letrec-syntax ((name transformer) ...) body ...)
;;> Evaluate the body with local macros.

;;> (begin expression ...)
;;> Evaluate in order and return the last value.

;;> (do ((name start [step]) ...) (test result ...) body ...)
;;> Loop until TEST is true. (do ((i 0 (+ i 1)) (l '() (cons i l))) ((= i 3) l)) =>
;;> (2 1 0)

;;> (guard (name clause ...) body ...)
;;> Evaluate the body; if something is raised, bind NAME to it and go on as cond
;;> does. Without a clause that matches it is raised again.
;;> (guard (e (#t (error-object-message e))) (error "no" 1)) => "no"

;;> (parameterize ((parameter value) ...) body ...)
;;> Evaluate the body with other values of parameters.

;;> (delay expression)
;;> (delay-force expression)
;;> Return a promise, which evaluates the expression at the first force. Iterative
;;> lazy algorithms use delay-force, whose expression gives a promise.

;;> (case-lambda (formals body ...) ...)
;;> Return a procedure that takes the first clause that fits the number of
;;> arguments.

;;> (syntax-rules (literal ...) (pattern template) ...)
;;> A macro by patterns; pattern ... stands for any number of forms.

;;> (syntax-error message form ...)
;;> An error when the program is expanded; for templates of macros.

;;> (include file ...)
;;> (include-ci file ...)
;;> Put the forms of files here (names folded to lower case).

;;> (cond-expand (requirement form ...) ...)
;;> Take the first clause whose requirement holds: a feature, (library name), and,
;;> or, not, else.

;;> else => _
;;> Marks in cond, case and patterns, which nothing else may be called.

;; -- lists and several sequences -----------------------------------------------

;;> (append list ...)
;;> Return the elements of all lists in one; the last list is shared.

;;> (map procedure list ...)
;;> Return the list of the results, one for each element (or each set of them).
;;> (map + '(1 2) '(10 20)) => (11 22)

;;> (for-each procedure list ...)
;;> Call PROCEDURE with each element in order.

;;> (string-map procedure string ...)
;;> (vector-map procedure vector ...)
;;> Return a string (vector) of the results.

;;> (string-for-each procedure string ...)
;;> (vector-for-each procedure vector ...)
;;> Call PROCEDURE with each element in order.

;;> (member obj list [equal?])
;;> Return the part of LIST that begins with what is equal? to OBJ, or #f.

;;> (assoc key alist [equal?])
;;> Return the first pair of ALIST whose car is equal? to KEY, or #f. The arguments
;;> of a tool have strings as keys: (assoc "name" args).

;; -- control ----------------------------------------------------------------------

;;> (call-with-current-continuation procedure)
;;> (call/cc procedure)
;;> Call PROCEDURE with the continuation: what is called with it becomes the value
;;> of this call. (call/cc (lambda (return) (+ 1 (return 5)))) => 5

;;> (dynamic-wind before thunk after)
;;> Call the three in order; AFTER also where THUNK is left by a continuation, BEFORE
;;> also where it is entered again.

;;> (raise-continuable obj)
;;> Raise OBJ; the value of the handler is that of this call.

;;> (make-parameter value [converter])
;;> Return a parameter: called without arguments it gives its value, which
;;> parameterize changes.

;;> (force promise)
;;> Return the promise's value, evaluating it the first time.

;;> (make-promise obj)
;;> Return a promise whose value is OBJ.

;;> (exact-integer-sqrt n)
;;> Return two values: the largest s with s*s <= N, and the rest.

;;> (floor/ n m)
;;> (truncate/ n m)
;;> Return quotient and remainder as two values.

;;> (features)
;;> Return the list of what cond-expand knows.

;; -- ports ------------------------------------------------------------------------

;;> (current-input-port)
;;> (current-output-port)
;;> (current-error-port)
;;> Return the port that is used where none is given; they are parameters.

;;> (call-with-port port procedure)
;;> Call PROCEDURE with PORT and close it after a return.

;;> (close-port port)
;;> (close-input-port port)
;;> (close-output-port port)
;;> Close PORT.

;;> (read [port])
;;> Read one datum; an end-of-file object at the end.

;;> (read-char [port])
;;> (peek-char [port])
;;> Return the next character (and leave it there), or an end-of-file object.

;;> (read-line [port])
;;> Read up to the end of the line, which is left out.

;;> (read-string k [port])
;;> Read K characters, or as many as there are.

;;> (read-u8 [port])
;;> (peek-u8 [port])
;;> Return the next byte (and leave it there), or an end-of-file object.

;;> (read-bytevector k [port])
;;> Read K bytes, or as many as there are.

;;> (read-bytevector! bytevector [port [start [end]]])
;;> Read bytes into BYTEVECTOR; return how many.

;;> (char-ready? [port])
;;> (u8-ready? [port])
;;> Would reading answer at once?

;;> (write obj [port])
;;> Write OBJ so that it can be read back, with labels where it is circular.

;;> (write-shared obj [port])
;;> Write OBJ with labels for all that is shared.

;;> (write-simple obj [port])
;;> Write OBJ without labels.

;;> (display obj [port])
;;> Write OBJ for people: strings and characters as they are. It takes one object:
;;> (display "n = ") (display n) (newline).

;;> (newline [port])
;;> Write a line end.

;;> (write-char char [port])
;;> (write-u8 byte [port])
;;> Write a character (a byte).

;;> (write-string string [port [start [end]]])
;;> (write-bytevector bytevector [port [start [end]]])
;;> Write a text (bytes) as it is.

;;> (flush-output-port [port])
;;> Put what was written to a file's port into the file.

;; -- evaluation -----------------------------------------------------------------------

;;> (eval expression [environment])
;;> Evaluate a datum, in the program's environment if none is given.

;;> (environment import-set ...)
;;> Return an environment with what the import sets bring, which cannot be changed.

;;> (interaction-environment)
;;> Return the environment of the program.

;;> (load path [environment])
;;> Evaluate the forms of a file, as far as the policy allows to read it.
