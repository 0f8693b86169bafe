;;; SRFI 235, the body.

;;> (constantly object ...)
;;> Return the procedure that returns the OBJECTs. ((constantly 1) 2 3) => 1
(define (constantly . objects) (lambda arguments (apply values objects)))

;;> (complement procedure)
;;> Return the procedure that negates. ((complement even?) 1) => #t
(define (complement procedure) (lambda (object) (not (procedure object))))

;;> (swap procedure), (flip procedure)
;;> Return the procedure with the first two arguments, or all, the other way round.
;;> ((flip list) 1 2 3) => (3 2 1)
(define (swap procedure)
  (lambda (a b . rest) (apply procedure b a rest)))
(define (flip procedure) (lambda arguments (apply procedure (reverse arguments))))

;;> (on-left procedure), (on-right procedure)
;;> Return the procedure of two arguments that uses one. ((on-right -) 1 2) => -2
(define (on-left procedure) (lambda (a b) (procedure a)))
(define (on-right procedure) (lambda (a b) (procedure b)))

;;> (conjoin predicate ...), (disjoin predicate ...)
;;> Return the predicate for which all, or one, of these must hold.
;;> ((conjoin number? exact?) 1) => #t
(define (conjoin . predicates)
  (lambda arguments
    (let loop ((rest predicates) (result #t))
      (if (null? rest)
          result
          (let ((result (apply (car rest) arguments)))
            (and result (loop (cdr rest) result)))))))
(define (disjoin . predicates)
  (lambda arguments
    (let loop ((rest predicates))
      (and (pair? rest)
           (or (apply (car rest) arguments) (loop (cdr rest)))))))

;;> (each-of procedure ...)
;;> Return the procedure that calls each with its arguments.
(define (each-of . procedures)
  (lambda arguments
    (for-each (lambda (procedure) (apply procedure arguments)) procedures)))

;;> (all-of predicate), (any-of predicate)
;;> Return the predicate of lists that holds where PREDICATE does for all, or one.
;;> ((all-of even?) '(2 4)) => #t
(define (all-of predicate) (lambda (list) (every predicate list)))
(define (any-of predicate) (lambda (list) (any predicate list)))

;;> (on reducer mapper)
;;> Return the procedure that calls REDUCER with what MAPPER makes of the arguments.
;;> ((on + length) '(1 2) '(3)) => 3
(define (on reducer mapper)
  (lambda arguments (apply reducer (map mapper arguments))))

;;> (left-section procedure argument ...), (right-section procedure argument ...)
;;> Return PROCEDURE with its first, or last, arguments given. ((left-section - 5) 3) => 2
(define (left-section procedure . first)
  (lambda arguments (apply procedure (append first arguments))))
(define (right-section procedure . last)
  (lambda arguments (apply procedure (append arguments last))))

;;> (apply-chain procedure ...)
;;> Return the composition, the last one being called first. ((apply-chain car cdr) '(1 2)) => 2
(define (apply-chain . procedures)
  (cond ((null? procedures) values)
        ((null? (cdr procedures)) (car procedures))
        (else
         (let ((inner (apply apply-chain (cdr procedures))))
           (lambda arguments
             (call-with-values (lambda () (apply inner arguments))
               (car procedures)))))))

;;> (arguments-drop procedure n), (arguments-drop-right procedure n),
;;> (arguments-take procedure n), (arguments-take-right procedure n)
;;> Return PROCEDURE of some of the arguments. ((arguments-drop list 1) 1 2 3) => (2 3)
(define (arguments-drop procedure n)
  (lambda arguments (apply procedure (drop arguments n))))
(define (arguments-drop-right procedure n)
  (lambda arguments (apply procedure (drop-right arguments n))))
(define (arguments-take procedure n)
  (lambda arguments (apply procedure (take arguments n))))
(define (arguments-take-right procedure n)
  (lambda arguments (apply procedure (take-right arguments n))))

;;> (group-by key [=])
;;> Return the procedure that takes a list to the list of the lists of elements with the same
;;> key, in their order. ((group-by even?) '(1 2 3)) => ((1 3) (2))
(define (group-by key . rest)
  (let ((same? (if (pair? rest) (car rest) equal?)))
    (lambda (list)
      (let loop ((list list) (groups '()))
        (if (null? list)
            (map (lambda (group) (reverse (cdr group))) (reverse groups))
            (let* ((k (key (car list)))
                   (group (find-group k groups same?)))
              (if group
                  (begin
                    (set-cdr! group (cons (car list) (cdr group)))
                    (loop (cdr list) groups))
                  (loop (cdr list)
                        (cons (cons k (cons (car list) '())) groups)))))))))

(define (find-group key groups same?)
  (cond ((null? groups) #f)
        ((same? key (caar groups)) (car groups))
        (else (find-group key (cdr groups) same?))))

;;> (begin-procedure thunk ...)
;;> Call the THUNKs; return the value of the last. (begin-procedure (lambda () 1)) => 1
(define (begin-procedure . thunks)
  (let loop ((rest thunks) (value #f))
    (if (null? rest) value (loop (cdr rest) ((car rest))))))

;;> (if-procedure value then else), (when-procedure value thunk ...),
;;> (unless-procedure value thunk ...)
;;> Call thunks by VALUE. (if-procedure #f (lambda () 1) (lambda () 2)) => 2
(define (if-procedure value then else) (if value (then) (else)))
(define (when-procedure value . thunks)
  (if value (apply begin-procedure thunks)))
(define (unless-procedure value . thunks)
  (if (not value) (apply begin-procedure thunks)))

;;> (value-procedure value then else)
;;> Call THEN with VALUE unless that is #f; else ELSE.
;;> (value-procedure 5 - (lambda () 0)) => -5
(define (value-procedure value then else) (if value (then value) (else)))

;;> (case-procedure value alist [else])
;;> Call the thunk that ALIST has for VALUE, or ELSE.
;;> (case-procedure 'b (list (cons 'b (lambda () 2)))) => 2
(define (case-procedure value alist . else)
  (let ((found (assv value alist)))
    (cond (found ((cdr found)))
          ((pair? else) ((car else))))))

;;> (and-procedure thunk ...), (eager-and-procedure thunk ...),
;;> (or-procedure thunk ...), (eager-or-procedure thunk ...)
;;> Are all, or is one, of the values true; the eager ones call all.
;;> (and-procedure (lambda () 1) (lambda () 2)) => 2
(define (and-procedure . thunks)
  (let loop ((rest thunks) (value #t))
    (if (null? rest)
        value
        (let ((value ((car rest))))
          (and value (loop (cdr rest) value))))))
(define (eager-and-procedure . thunks)
  (let loop ((rest thunks) (value #t))
    (if (null? rest)
        value
        (let ((next ((car rest))))
          (loop (cdr rest) (and value next))))))
(define (or-procedure . thunks)
  (and (pair? thunks)
       (or ((car thunks)) (apply or-procedure (cdr thunks)))))
(define (eager-or-procedure . thunks)
  (let loop ((rest thunks) (value #f))
    (if (null? rest)
        value
        (let ((next ((car rest))))
          (loop (cdr rest) (or value next))))))

;;> (funcall-procedure thunk)
;;> Call THUNK. (funcall-procedure (lambda () 1)) => 1
(define (funcall-procedure thunk) (thunk))

;;> (loop-procedure thunk), (while-procedure thunk), (until-procedure thunk)
;;> Call THUNK again and again: for ever, as long as its value is true, or until it is.
(define (loop-procedure thunk)
  (thunk)
  (loop-procedure thunk))
(define (while-procedure thunk) (if (thunk) (while-procedure thunk)))
(define (until-procedure thunk) (if (not (thunk)) (until-procedure thunk)))

;;> (always object ...), (never object ...), (boolean object)
;;> Return #t; #f; #f for #f and #t for all else. (boolean 1) => #t
(define (always . objects) #t)
(define (never . objects) #f)
(define (boolean object) (if object #t #f))
