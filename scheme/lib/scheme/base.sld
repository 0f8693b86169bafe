;; R7RS-small base library: the core environment's names.
(define-library (scheme base)
  (export
   ;; syntax
   _ ... => else and begin case cond cond-expand define define-record-type
   define-syntax define-values do guard if include include-ci lambda let let*
   let*-values let-syntax let-values letrec letrec* letrec-syntax or
   parameterize quasiquote quote set! syntax-error syntax-rules unless unquote
   unquote-splicing when
   ;; equivalence, booleans, procedures
   eq? equal? eqv? boolean=? boolean? not apply call-with-values procedure?
   values
   ;; numbers
   * + - / < <= = > >= abs ceiling complex? denominator even?
   exact exact-integer-sqrt exact-integer? exact? expt floor floor-quotient
   floor-remainder floor/ gcd inexact inexact? integer? lcm max min modulo
   negative? number->string number? numerator odd? positive? quotient rational?
   rationalize real? remainder round square string->number truncate
   truncate-quotient truncate-remainder truncate/ zero?
   ;; pairs and lists
   append assoc assq assv caar cadr car cdar cddr cdr cons for-each length list
   list-copy list-ref list-set! list-tail list? make-list map member memq memv
   null? pair? reverse set-car! set-cdr!
   ;; symbols, characters
   string->symbol symbol->string symbol=? symbol?
   char->integer char<=? char<? char=? char>=? char>? char? integer->char
   ;; strings
   list->string make-string string string->list string->utf8 string->vector
   string-append string-copy string-copy! string-fill! string-for-each
   string-length string-map string-ref string-set! string<=? string<? string=?
   string>=? string>? string? substring utf8->string
   ;; vectors, bytevectors
   list->vector make-vector vector vector->list vector->string vector-append
   vector-copy vector-copy! vector-fill! vector-for-each vector-length
   vector-map vector-ref vector-set! vector?
   bytevector bytevector-append bytevector-copy bytevector-copy!
   bytevector-length bytevector-u8-ref bytevector-u8-set! bytevector?
   make-bytevector
   ;; control
   call-with-current-continuation
   (rename call-with-current-continuation call/cc) dynamic-wind
   make-parameter features
   ;; exceptions
   error error-object-irritants error-object-message error-object? file-error?
   raise raise-continuable read-error? with-exception-handler
   ;; ports
   binary-port? call-with-port char-ready? close-input-port close-output-port
   close-port current-error-port current-input-port current-output-port
   eof-object eof-object? flush-output-port get-output-bytevector
   get-output-string input-port-open? input-port? newline open-input-bytevector
   open-input-string open-output-bytevector open-output-string
   output-port-open? output-port? peek-char peek-u8 port? read-bytevector
   read-bytevector! read-char read-line read-string read-u8 textual-port?
   u8-ready? write-bytevector write-char write-string write-u8)
  (import (%core)))

;;> (define name value)
;;> (define (name argument ...) body ...)
;;> Bind NAME here, to a value or to a procedure of the ARGUMENTs; a dot before the last one takes the rest as a list.

;;> (define-values (name ...) expression)
;;> Bind each NAME to one of the values of EXPRESSION.

;;> (define-record-type name (constructor field ...) predicate (field accessor [modifier]) ...)
;;> Define a new type of records: its constructor, predicate, and what reads and changes each field.

;;> (define-syntax keyword (syntax-rules (literal ...) (pattern template) ...))
;;> Define a macro.

;;> (let-syntax ((keyword transformer) ...) body ...)
;;> (letrec-syntax ((keyword transformer) ...) body ...)
;;> Macros for BODY only; with letrec-syntax they see each other.

;;> (syntax-rules [ellipsis] (literal ...) (pattern template) ...)
;;> The rules of a macro: the first PATTERN that matches is replaced by its TEMPLATE. x ... stands for any number of x.

;;> (syntax-error message form ...)
;;> Refuse a use of a macro, with MESSAGE, where the program is compiled.

;;> _ ... =>
;;> Only inside of other forms: _ matches anything in a pattern, ... repeats what is before it, => in cond, case and
;;> guard passes what was found to a procedure.

;;> else
;;> Only as the last clause of cond, case and guard: what to do where no other clause was taken.

;;> (lambda (argument ...) body ...)
;;> (lambda (argument ... . rest) body ...)
;;> A procedure. (lambda args body ...) takes any number of arguments as a list.

;;> (if test consequent [alternate])
;;> CONSEQUENT where TEST is not #f, else ALTERNATE. Everything but #f counts as true, the empty list and 0 too.

;;> (cond (test expression ...) ... [(else expression ...)])
;;> Take the first clause whose TEST is true. (test => procedure) calls PROCEDURE with what TEST gave.

;;> (case key ((datum ...) expression ...) ... [(else expression ...)])
;;> Take the clause that has KEY, compared by eqv?, among its data. Strings and lists never match: use cond and equal?.

;;> (and test ...)
;;> #f from the first TEST that is false, else the value of the last; #t without any.

;;> (or test ...)
;;> The value of the first TEST that is true, else #f.

;;> (when test expression ...)
;;> Do the EXPRESSIONs where TEST is true.

;;> (unless test expression ...)
;;> Do the EXPRESSIONs where TEST is #f.

;;> (let ((name value) ...) body ...)
;;> (let loop ((name value) ...) body ...)
;;> Bind each NAME for BODY, the VALUEs not seeing the NAMEs; with a name in front, BODY may call it with new values.

;;> (let* ((name value) ...) body ...)
;;> Like let, each VALUE seeing the NAMEs before it.

;;> (letrec ((name value) ...) body ...)
;;> (letrec* ((name value) ...) body ...)
;;> Like let, each VALUE, mostly a procedure, seeing all NAMEs; letrec* works them out in order.

;;> (let-values (((name ...) expression) ...) body ...)
;;> (let*-values (((name ...) expression) ...) body ...)
;;> Bind NAMEs to the values of each EXPRESSION.

;;> (begin expression ...)
;;> Do one after another; the value is that of the last.

;;> (do ((name first next) ...) (test result ...) body ...)
;;> A loop: do BODY and set each NAME to its NEXT until TEST is true, then give RESULT.

;;> (set! name value)
;;> Change what NAME is bound to; a name that a library exports cannot be changed.

;;> (quote datum)
;;> DATUM itself, not evaluated: 'datum for short. It cannot be changed; list-copy and string-copy give one that can.

;;> (quasiquote template) (unquote expression) (unquote-splicing expression)
;;> A template, ` for short, in which , puts a value and ,@ the items of a list.
;;> `(1 ,(+ 1 1) ,@(list 3 4)) => (1 2 3 4)

;;> (parameterize ((parameter value) ...) body ...)
;;> Give each PARAMETER another value while BODY goes on.

;;> (make-parameter value [converter])
;;> Return a parameter: called without arguments it gives its value; parameterize changes that for a while.

;;> (guard (name clause ...) body ...)
;;> Do BODY; what it raises is bound to NAME and given to the CLAUSEs, as in cond, and raised again where none is taken.
;;> (guard (e (#t (error-object-message e))) (error "no" 1)) => "no"

;;> (raise-continuable object)
;;> Call the handler with OBJECT; what it returns is the value of the call.

;;> (include file ...) (include-ci file ...)
;;> The forms of other files, as if they stood here; include-ci folds the case of their names.

;;> (cond-expand (requirement form ...) ... [(else form ...)])
;;> Take the forms of the first clause whose REQUIREMENT holds: a feature, (library name), and, or, not of them.

;;> (features)
;;> Return the list of symbols that cond-expand takes as features.

;;> (append list ...)
;;> Return one list of the items of all; the last LIST is shared, not copied.

;;> (map procedure list list ...)
;;> Return the list of what PROCEDURE gives for the items, one of each LIST; ends with the shortest.

;;> (for-each procedure list list ...)
;;> Call PROCEDURE with the items, one of each LIST, in order, for what it does.

;;> (member object list [=])
;;> Return the part of LIST that begins with OBJECT, by equal? or =; #f where it is not in there.

;;> (assoc key alist [=])
;;> Return the first pair of ALIST whose car is KEY, by equal? or =; #f where there is none. The keys of a tool's
;;> arguments are strings: (assoc "name" args).

;;> (string-map procedure string string ...) (string-for-each procedure string string ...)
;;> (vector-map procedure vector vector ...) (vector-for-each procedure vector vector ...)
;;> Like map and for-each, over the characters of strings or the items of vectors.

;;> (call-with-current-continuation procedure) (call/cc procedure)
;;> Call PROCEDURE with the rest of the computation as a procedure: calling that gives its argument as the value here,
;;> any number of times, also after this call has returned.

;;> (dynamic-wind before thunk after)
;;> Call the three in order; BEFORE also when THUNK is entered again, AFTER also when it is left by a jump or an error.

;;> (floor/ n d) (truncate/ n d)
;;> Return two values, the quotient and the remainder of dividing downwards, or towards zero.

;;> (exact-integer-sqrt n)
;;> Return two values: the largest S with S * S <= N, and N - S * S.

;;> (current-input-port) (current-output-port) (current-error-port)
;;> The ports that are used where none is given; parameters, so that parameterize can change them.

;;> (call-with-port port procedure)
;;> Call PROCEDURE with PORT and close the port when it has returned.

;;> (close-port port) (close-input-port port) (close-output-port port)
;;> Close PORT; twice is fine.

;;> (read-char [port]) (peek-char [port]) (read-line [port]) (read-string k [port])
;;> Read a character, look at the next one, read a line, or at most K characters; the eof object at the end.

;;> (read-u8 [port]) (peek-u8 [port]) (read-bytevector k [port]) (read-bytevector! bytevector [port [start [end]]])
;;> Read a byte, look at the next one, read at most K bytes, or into BYTEVECTOR; the eof object at the end.

;;> (char-ready? [port]) (u8-ready? [port])
;;> Can the next character, or byte, be read without waiting?

;;> (write-char char [port]) (write-string string [port [start [end]]]) (newline [port])
;;> Write a character, a string as it is, or an end of line.

;;> (write-u8 byte [port]) (write-bytevector bytevector [port [start [end]]])
;;> Write bytes to a binary port.

;;> (flush-output-port [port])
;;> Send on what was written so far.
