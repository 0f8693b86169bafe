;;; SRFI 227, the body: over (chibi optional), with a check of what is left.

;;> (opt-lambda (name ... (name default) ... . rest) body ...)
;;> A procedure with optional arguments; the defaults see none of the names.
;;> ((opt-lambda (a (b 2)) (list a b)) 1) => (1 2)
(define-syntax opt-lambda
  (syntax-rules ()
    ((_ parameters body ...)
     (lambda arguments (let-optionals arguments parameters body ...)))))

;;> (opt*-lambda (name ... (name default) ... . rest) body ...)
;;> A procedure with optional arguments; the defaults see the names before them.
;;> ((opt*-lambda (a (b (* 2 a))) (list a b)) 1) => (1 2)
(define-syntax opt*-lambda
  (syntax-rules ()
    ((_ parameters body ...)
     (lambda arguments (let-optionals* arguments parameters body ...)))))

;;> (let-optionals list (name ... (name default) ... . rest) body ...)
;;> Bind the names to the elements of LIST, or to their defaults, which see none of
;;> the names. (let-optionals '(1) (a (b 2)) (list a b)) => (1 2)
(define-syntax let-optionals
  (syntax-rules ()
    ((_ list parameters body ...)
     (with-rest parameters () chibi:let-optionals list body ...))))

;;> (let-optionals* list (name ... (name default) ... . rest) body ...)
;;> Bind the names to the elements of LIST, or to their defaults, which see the
;;> names before them. (let-optionals* '(1) (a (b (+ a 1))) (list a b)) => (1 2)
(define-syntax let-optionals*
  (syntax-rules ()
    ((_ list parameters body ...)
     (with-rest parameters () chibi:let-optionals* list body ...))))

;; Parameters without a rest get one that must be empty.
(define-syntax with-rest
  (syntax-rules ()
    ((_ () (parameter ...) binder list body ...)
     (binder list (parameter ... . excess)
       (check-none excess)
       (let () body ...)))
    ((_ (parameter . more) (parameters ...) binder list body ...)
     (with-rest more (parameters ... parameter) binder list body ...))
    ((_ rest (parameter ...) binder list body ...)
     (binder list (parameter ... . rest) body ...))))

(define (check-none excess)
  (if (pair? excess)
      (error "more arguments than the procedure takes" excess)))
