;;; SRFI 166, the state and the forms over it.

(define-record-type state-variable
  (%make-state-variable name default)
  state-variable?
  (name variable-name)
  (default variable-default))

;;> (make-state-variable name default [immutable?])
;;> Return a new state variable, for fn, with and with!.
(define (make-state-variable name default . immutable?)
  (%make-state-variable name default))

;; BINDINGS is an alist from variables to values, of pairs that nobody else has.
(define-record-type state
  (make-state bindings)
  state?
  (bindings state-bindings set-state-bindings!))

(define (get state variable)
  (let ((pair (assq variable (state-bindings state))))
    (if pair (cdr pair) (variable-default variable))))

(define (put! state variable value)
  (let ((pair (assq variable (state-bindings state))))
    (if pair
        (set-cdr! pair value)
        (set-state-bindings! state
                             (cons (cons variable value)
                                   (state-bindings state))))))

(define (copy-state state)
  (make-state (map (lambda (pair) (cons (car pair) (cdr pair)))
                   (state-bindings state))))

;; Run a formatter, or what is displayed.
(define (run format state)
  (cond ((procedure? format) (format state))
        ((string? format) (emit format state))
        ((char? format) (emit (string format) state))
        (else ((displayed format) state))))

(define (emit text state)
  (if (not (string=? text ""))
      (run ((get state output) text) state)))

;;> (show destination format ...)
;;> Run the formats, one after the other. DESTINATION is a port, #t for the current
;;> output port, or #f: then the answer is the text. (show #f "a" 1 #\b) => "a1b"
(define (show destination . formats)
  (cond ((output-port? destination) (show-to destination formats))
        ((not destination)
         (let ((out (open-output-string)))
           (show-to out formats)
           (get-output-string out)))
        ((eq? destination #t) (show-to (current-output-port) formats))
        (else (error "show: neither a port nor a boolean" destination))))

(define (show-to out formats)
  (let ((state (make-state (list (cons port out)))))
    (for-each (lambda (format) (run format state)) formats)))

;;> (fn ((name state-variable) ...) expression ... format)
;;> The formatter that evaluates the expressions and runs FORMAT with the names bound
;;> to the variables' values; (fn (state-variable) ...) binds it under its own name.
;;> (show #f "abc" (fn (col) col)) => "abc3"
(define-syntax fn
  (syntax-rules ()
    ((_ vars expression ... format)
     (lambda (state) (fn-bind state vars (let () expression ... format))))))

(define-syntax fn-bind
  (syntax-rules ()
    ((_ state vars body)
     (run (fn-let state vars () body) state))))

(define-syntax fn-let
  (syntax-rules ()
    ((_ state () ((name variable) ...) body)
     (let ((name (get state variable)) ...) body))
    ((_ state ((name variable) . rest) (done ...) body)
     (fn-let state rest (done ... (name variable)) body))
    ((_ state (variable . rest) (done ...) body)
     (fn-let state rest (done ... (variable variable)) body))))

;;> (with ((state-variable value) ...) format ...)
;;> The formatter that runs the formats with these values of the variables, which are
;;> as before afterwards. (show #f (with ((radix 2)) (numeric 5))) => "101"
(define-syntax with
  (syntax-rules ()
    ((_ ((variable value) ...) format ...)
     (bind-all (list (cons variable value) ...) (each format ...)))))

(define (bind-all bindings format)
  (lambda (state)
    (let ((old (map (lambda (pair) (cons (car pair) (get state (car pair))))
                    bindings)))
      (for-each (lambda (pair) (put! state (car pair) (cdr pair))) bindings)
      (run format state)
      (for-each (lambda (pair) (put! state (car pair) (cdr pair))) old))))

;;> (with! (state-variable value) ...)
;;> The formatter that changes the variables.
;;> (show #f (with! (radix 2)) (numeric 5)) => "101"
(define-syntax with!
  (syntax-rules ()
    ((_ (variable value) ...)
     (set-all (list (cons variable value) ...)))))

(define (set-all bindings)
  (lambda (state)
    (for-each (lambda (pair) (put! state (car pair) (cdr pair))) bindings)))

;;> (forked format1 format2)
;;> Run FORMAT1 with a copy of the state, then FORMAT2 with the state itself.
(define (forked format1 format2)
  (lambda (state)
    (run format1 (copy-state state))
    (run format2 state)))

;;> (call-with-output format mapper)
;;> Run the formatter (mapper text) for the text that FORMAT gives.
;;> (show #f (call-with-output "abc" string-upcase)) => "ABC"
(define (call-with-output format mapper)
  (lambda (state)
    (let ((inner (copy-state state)) (out (open-output-string)))
      (put! inner port out)
      (put! inner output output-default)
      (run format inner)
      (run (mapper (get-output-string out)) state))))

;; -- state variables --------------------------------------------------------

;;> port
;;> The port that is written to.
(define port (make-state-variable 'port #f))

;;> row
;;> The number of lines written so far.
(define row (make-state-variable 'row 0))

;;> col
;;> The column that the next character goes to.
(define col (make-state-variable 'col 0))

;;> width
;;> How many columns there are.
(define width (make-state-variable 'width 80))

;;> string-width
;;> The procedure that says how many columns a string takes.
(define string-width (make-state-variable 'string-width string-length))

;;> pad-char
;;> The character that padding is made of.
(define pad-char (make-state-variable 'pad-char #\space))

;;> ellipsis
;;> The text in the place of what is trimmed.
(define ellipsis (make-state-variable 'ellipsis ""))

;;> radix
;;> The radix of numbers.
(define radix (make-state-variable 'radix 10))

;;> precision
;;> How many digits stand behind the point, or #f.
(define precision (make-state-variable 'precision #f))

;;> decimal-sep
;;> The character for the decimal point, or #f.
(define decimal-sep (make-state-variable 'decimal-sep #f))

;;> decimal-align
;;> The column of the decimal point, or #f.
(define decimal-align (make-state-variable 'decimal-align #f))

;;> sign-rule
;;> #t: numbers have a sign always; a pair: what stands around negative ones.
(define sign-rule (make-state-variable 'sign-rule #f))

;;> comma-sep
;;> The character between groups of digits, or #f.
(define comma-sep (make-state-variable 'comma-sep #f))

;;> comma-rule
;;> The size of groups of digits, a list of sizes whose last one repeats, or #f.
(define comma-rule (make-state-variable 'comma-rule #f))

;;> word-separator?
;;> The predicate of what words are wrapped at.
(define word-separator? (make-state-variable 'word-separator? char-whitespace?))

;;> ambiguous-is-wide?
;;> Do characters of ambiguous width take two columns?
(define ambiguous-is-wide? (make-state-variable 'ambiguous-is-wide? #f))

;;> (output-default text)
;;> The formatter that writes TEXT to the port and keeps row and col.
(define (output-default text)
  (lambda (state)
    (write-string text (get state port))
    (let ((newline (last-newline text)))
      (if newline
          (let ((rest (substring text (+ newline 1) (string-length text))))
            (put! state row (+ (get state row) (count-newlines text)))
            (put! state col ((get state string-width) rest)))
          (put! state col (+ (get state col)
                             ((get state string-width) text)))))))

;;> output
;;> The procedure that makes a formatter of each text that is written.
(define output (make-state-variable 'output output-default))

;;> writer
;;> The procedure that makes a formatter of an object that is displayed.
(define writer (make-state-variable 'writer (lambda (obj) (written obj))))

(define (last-newline text)
  (let loop ((i (- (string-length text) 1)))
    (cond ((< i 0) #f)
          ((char=? (string-ref text i) #\newline) i)
          (else (loop (- i 1))))))

(define (count-newlines text)
  (let ((n 0))
    (string-for-each (lambda (char) (if (char=? char #\newline) (set! n (+ n 1))))
                     text)
    n))
