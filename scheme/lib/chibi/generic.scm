;;; (chibi generic), the body. A generic is a procedure that holds its methods,
;;; pairs of a list of predicates and a procedure, newest first; called with
;;; add-method and such a pair it adds it.

(define add-method (list 'add-method))

(define next-method (make-parameter #f))

;;> (make-generic name)
;;> Return a generic procedure without methods.
(define (make-generic name)
  (let ((methods '()))
    (lambda arguments
      (if (and (pair? arguments) (eq? (car arguments) add-method))
          (set! methods (cons (cadr arguments) methods))
          (call-method name methods arguments)))))

(define (applicable? predicates arguments)
  (cond ((null? predicates) (null? arguments))
        ((pair? predicates)
         (and (pair? arguments)
              ((car predicates) (car arguments))
              (applicable? (cdr predicates) (cdr arguments))))
        (else (predicates arguments))))

(define (call-method name methods arguments)
  (cond ((null? methods)
         (apply error (string-append (symbol->string name)
                                     ": no method for these arguments")
                arguments))
        ((applicable? (caar methods) arguments)
         (apply (cdar methods)
                (lambda () (call-method name (cdr methods) arguments))
                arguments))
        (else (call-method name (cdr methods) arguments))))

;;> (generic-add! generic predicates method)
;;> Add a method, tried before those there are. METHOD takes a procedure that calls
;;> the next method, and the arguments.
;;> (let ((f (make-generic 'f)))
;;>   (generic-add! f (list number?) (lambda (next n) (+ n 1)))
;;>   (f 1)) => 2
(define (generic-add! generic predicates method)
  (generic add-method (cons predicates method)))

;;> (call-next-method)
;;> In the body of a method, call the method that would have been called without
;;> it, with the same arguments.
(define (call-next-method)
  (let ((next (next-method)))
    (if next
        (next)
        (error "call-next-method: not in the body of a method"))))

;;> (define-generic name)
;;> Define a generic procedure.
(define-syntax define-generic
  (syntax-rules ()
    ((_ name) (define name (make-generic 'name)))))

;;> (define-method (name (argument predicate) ... . rest) body ...)
;;> Add a method to NAME for arguments that satisfy the predicates; an argument
;;> without one takes anything. (call-next-method) in the body calls the method
;;> that would have been called without this one.
(define-syntax define-method
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define-method-of name parameters () () body ...))))

(define-syntax define-method-of
  (syntax-rules ()
    ((_ generic () (name ...) (predicate ...) body ...)
     (generic-add! generic (list predicate ...)
                   (lambda (next name ...)
                     (parameterize ((next-method next)) body ...))))
    ((_ generic ((name predicate) . more) (names ...) (predicates ...) body ...)
     (define-method-of generic more (names ... name) (predicates ... predicate)
       body ...))
    ((_ generic (name . more) (names ...) (predicates ...) body ...)
     (define-method-of generic more (names ... name) (predicates ... anything?)
       body ...))
    ((_ generic rest (names ...) (predicates ...) body ...)
     (generic-add! generic (cons* predicates ... anything?)
                   (lambda (next names ... . rest)
                     (parameterize ((next-method next)) body ...))))))

(define (anything? object) #t)

(define (cons* first . rest)
  (if (null? rest) first (cons first (apply cons* rest))))
