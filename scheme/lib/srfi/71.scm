;;; SRFI 71, the body. A binding is (name expression), (name name ... expression)
;;; or ((values name ... [. rest]) expression). Each becomes formals with an
;;; expression; let and letrec bind fresh names first, so that no expression sees
;;; what another one is bound to.

;; Calls (next (formals expression) . arguments) for one binding.
(define-syntax with-formals
  (syntax-rules (values)
    ((_ ((values . formals) expression) (next . arguments))
     (next (formals expression) . arguments))
    ((_ (name . more) call) (split-binding () (name . more) call))))

(define-syntax split-binding
  (syntax-rules ()
    ((_ names (expression) (next . arguments))
     (next (names expression) . arguments))
    ((_ (name ...) (new . more) call)
     (split-binding (name ... new) more call))))

;;> (let [name] (binding ...) body ...)
;;> R7RS's let; a binding may be of several values.
;;> (let ((a b (values 1 2)) ((values c . d) (values 3 4 5))) (list a b c d))
;;> => (1 2 3 (4 5))
(define-syntax let-71
  (syntax-rules ()
    ((_ (binding ...) . body) (let-loop () (binding ...) . body))
    ((_ name bindings . body) (let name bindings . body))))

(define-syntax let-loop
  (syntax-rules ()
    ((_ (((name) expression) ...) () . body)
     (let ((name expression) ...) . body))
    ((_ (done ...) () . body) (let-values (done ...) . body))
    ((_ done (binding . more) . body)
     (with-formals binding (let-next done more . body)))))

(define-syntax let-next
  (syntax-rules ()
    ((_ formals+expression (done ...) more . body)
     (let-loop (done ... formals+expression) more . body))))

;;> (let* (binding ...) body ...)
;;> R7RS's let*; a binding may be of several values.
;;> (let* ((a b (values 1 2)) (c (+ a b))) c) => 3
(define-syntax let*-71
  (syntax-rules ()
    ((_ () . body) (let () . body))
    ((_ (binding . more) . body)
     (with-formals binding (let*-next more . body)))))

(define-syntax let*-next
  (syntax-rules ()
    ((_ ((name) expression) more . body)
     (let ((name expression)) (let*-71 more . body)))
    ((_ formals+expression more . body)
     (let-values (formals+expression) (let*-71 more . body)))))

;;> (letrec (binding ...) body ...)
;;> R7RS's letrec; a binding may be of several values.
;;> (letrec ((f g (values (lambda () 1) (lambda () (f))))) (g)) => 1
(define-syntax letrec-71
  (syntax-rules ()
    ((_ (binding ...) . body)
     (let () (letrec-loop (binding ...) . body)))))

(define-syntax letrec-loop
  (syntax-rules ()
    ((_ () . body) (let () . body))
    ((_ (binding . more) . body)
     (with-formals binding (letrec-next more . body)))))

(define-syntax letrec-next
  (syntax-rules ()
    ((_ ((name) expression) more . body)
     (begin (define name expression)
            (letrec-loop more . body)))
    ((_ (formals expression) more . body)
     (begin (define-values formals expression)
            (letrec-loop more . body)))))

;;> (uncons pair)
;;> Return the car and the cdr.
(define (uncons pair) (values (car pair) (cdr pair)))

;;> (uncons-2 list)
;;> Return the first two elements and what is behind them.
(define (uncons-2 list) (values (car list) (cadr list) (cddr list)))

;;> (uncons-3 list)
;;> Return the first three elements and what is behind them.
(define (uncons-3 list)
  (values (car list) (cadr list) (caddr list) (cdddr list)))

;;> (uncons-4 list)
;;> Return the first four elements and what is behind them.
(define (uncons-4 list)
  (values (car list) (cadr list) (caddr list) (cadddr list) (cddddr list)))

;;> (uncons-cons alist)
;;> Return the first key, its value, and the rest of ALIST.
(define (uncons-cons alist) (values (caar alist) (cdar alist) (cdr alist)))

;;> (unlist list)
;;> Return the elements of LIST as values.
(define (unlist list) (apply values list))

;;> (unvector vector)
;;> Return the elements of VECTOR as values.
(define (unvector vector) (apply values (vector->list vector)))

;;> (values->list expression)
;;> Return the list of the values of EXPRESSION.
;;> (values->list (values 1 2)) => (1 2)
(define-syntax values->list
  (syntax-rules ()
    ((_ expression) (call-with-values (lambda () expression) list))))

;;> (values->vector expression)
;;> Return the vector of the values of EXPRESSION.
(define-syntax values->vector
  (syntax-rules ()
    ((_ expression) (call-with-values (lambda () expression) vector))))
