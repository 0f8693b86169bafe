;;; SRFI 37, the body.

;;> (option names required-arg? optional-arg? processor)
;;> Return an option with these names, characters and strings of more than one of them.
;;> (option? object), (option-names option), (option-required-arg? option),
;;> (option-optional-arg? option), (option-processor option)
;;> Is OBJECT an option? Its parts. (option-names (option '(#\a) #f #f list)) => (#\a)
(define-record-type <option>
  (option names required-arg? optional-arg? processor)
  option?
  (names option-names)
  (required-arg? option-required-arg?)
  (optional-arg? option-optional-arg?)
  (processor option-processor))

(define (find-option name options)
  (cond ((null? options) #f)
        ((member name (option-names (car options))) (car options))
        (else (find-option name (cdr options)))))

(define (index-of char text)
  (let loop ((i 0))
    (cond ((= i (string-length text)) #f)
          ((char=? char (string-ref text i)) i)
          (else (loop (+ i 1))))))

(define (option-like? argument)
  (and (> (string-length argument) 1) (char=? #\- (string-ref argument 0))))

;;> (args-fold arguments options unrecognized operand seed ...)
;;> Take ARGUMENTS apart: for each option its processor is called with (option name argument
;;> seed ...), for an unknown one UNRECOGNIZED, for what is none (OPERAND argument seed ...);
;;> each returns the next seeds. The last seeds are the results.
;;> (args-fold '("-a" "x") '() (lambda (o n a seed) (cons n seed)) cons '()) => ("x" #\a)
(define (args-fold arguments options unrecognized operand . seeds)
  (define (process option name argument seeds then)
    (call-with-values
        (lambda ()
          (apply (if option (option-processor option) unrecognized)
                 (or option (option-of name argument)) name argument seeds))
      (lambda seeds (then seeds))))
  (define (option-of name argument)
    (option (list name) (and argument #t) #f unrecognized))
  (define (next arguments seeds)
    (cond ((null? arguments) (apply values seeds))
          ((string=? "--" (car arguments)) (operands (cdr arguments) seeds))
          ((not (option-like? (car arguments)))
           (call-with-values (lambda () (apply operand (car arguments) seeds))
             (lambda seeds (next (cdr arguments) seeds))))
          ((char=? #\- (string-ref (car arguments) 1))
           (long (car arguments) (cdr arguments) seeds))
          (else (short (car arguments) 1 (cdr arguments) seeds))))
  (define (operands arguments seeds)
    (if (null? arguments)
        (apply values seeds)
        (call-with-values (lambda () (apply operand (car arguments) seeds))
          (lambda seeds (operands (cdr arguments) seeds)))))
  (define (long argument rest seeds)
    (let* ((end (string-length argument))
           (equals (index-of #\= argument))
           (name (substring argument 2 (or equals end)))
           (value (and equals (substring argument (+ equals 1) end)))
           (found (find-option name options)))
      (if (and found (not value) (option-required-arg? found) (pair? rest))
          (process found name (car rest) seeds
                   (lambda (seeds) (next (cdr rest) seeds)))
          (process found name value seeds (lambda (seeds) (next rest seeds))))))
  (define (short argument i rest seeds)
    (if (= i (string-length argument))
        (next rest seeds)
        (let* ((name (string-ref argument i))
               (found (find-option name options))
               (more (substring argument (+ i 1) (string-length argument)))
               (last? (string=? more "")))
          (define (takes value rest)
            (process found name value seeds (lambda (seeds) (next rest seeds))))
          (cond ((and found (option-required-arg? found) last? (pair? rest))
                 (takes (car rest) (cdr rest)))
                ((and found (not last?)
                      (or (option-required-arg? found) (option-optional-arg? found)))
                 (takes more rest))
                (else
                 (process found name #f seeds
                          (lambda (seeds)
                            (short argument (+ i 1) rest seeds))))))))
  (next arguments seeds))
