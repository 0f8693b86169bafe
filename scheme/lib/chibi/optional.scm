;;; (chibi optional), the body.

(define (missing name)
  (error "missing argument" name))

;;> (let-optionals* list ((name default) ... . rest) body ...)
;;> Bind the names to the elements of LIST, or where it ends to their defaults,
;;> which see the names before them; REST to what is left. A name without default
;;> must be given. (let-optionals* '(0) ((a 10) (b (+ a 1))) (list a b)) => (0 1)
(define-syntax let-optionals*
  (syntax-rules ()
    ((_ arguments parameters body ...)
     (let ((given arguments))
       (optionals* given parameters body ...)))))

(define-syntax optionals*
  (syntax-rules ()
    ((_ given () body ...) (let () body ...))
    ((_ given ((name default) . more) body ...)
     (let* ((present? (pair? given))
            (name (if present? (car given) default))
            (rest (if present? (cdr given) '())))
       (optionals* rest more body ...)))
    ((_ given (name . more) body ...)
     (let* ((name (if (pair? given) (car given) (missing 'name)))
            (rest (cdr given)))
       (optionals* rest more body ...)))
    ((_ given rest body ...)
     (let ((rest (list-copy given))) body ...))))

;;> (let-optionals list ((name default) ... . rest) body ...)
;;> Like let-optionals*, but the defaults see none of the names.
;;> (let-optionals '(0) ((a 10) (b 11)) (list a b)) => (0 11)
(define-syntax let-optionals
  (syntax-rules ()
    ((_ arguments parameters body ...)
     (let ((given arguments))
       (optionals given parameters () body ...)))))

;; Values into fresh identifiers first: ((name fresh) ...).
(define-syntax optionals
  (syntax-rules ()
    ((_ given () ((name value) ...) body ...)
     (let ((name value) ...) body ...))
    ((_ given ((name default) . more) (binding ...) body ...)
     (let* ((present? (pair? given))
            (value (if present? (car given) default))
            (rest (if present? (cdr given) '())))
       (optionals rest more (binding ... (name value)) body ...)))
    ((_ given (name . more) (binding ...) body ...)
     (let* ((value (if (pair? given) (car given) (missing 'name)))
            (rest (cdr given)))
       (optionals rest more (binding ... (name value)) body ...)))
    ((_ given rest (binding ...) body ...)
     (let ((value (list-copy given)))
       (optionals given () (binding ... (rest value)) body ...)))))

;;> (opt-lambda (name ... (name default) ... . rest) body ...)
;;> A procedure with optional arguments; the defaults see none of the names.
;;> ((opt-lambda (a (b 2)) (list a b)) 1) => (1 2)
(define-syntax opt-lambda
  (syntax-rules ()
    ((_ parameters body ...)
     (lambda arguments (let-optionals arguments parameters body ...)))))

;;> (opt-lambda* (name ... (name default) ... . rest) body ...)
;;> A procedure with optional arguments; the defaults see the names before them.
;;> ((opt-lambda* (a (b (* 2 a))) (list a b)) 1) => (1 2)
(define-syntax opt-lambda*
  (syntax-rules ()
    ((_ parameters body ...)
     (lambda arguments (let-optionals* arguments parameters body ...)))))

;;> (define-opt (name parameter ... . rest) body ...)
;;> Define a procedure like opt-lambda's.
;;> (let () (define-opt (f (a 1)) a) (f)) => 1
(define-syntax define-opt
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define name (opt-lambda parameters body ...)))))

;;> (define-opt* (name parameter ... . rest) body ...)
;;> Define a procedure like opt-lambda*'s.
;;> (let () (define-opt* (f (a 1) (b a)) b) (f)) => 1
(define-syntax define-opt*
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define name (opt-lambda* parameters body ...)))))

;; -- keywords ---------------------------------------------------------------

;; The list that begins with the value behind KEYWORD, or #f.
(define (keyword-tail list keyword)
  (let loop ((rest list))
    (cond ((not (and (pair? rest) (pair? (cdr rest)))) #f)
          ((eq? (car rest) keyword) (cdr rest))
          (else (loop (cddr rest))))))

;;> (keyword-ref list keyword [default])
;;> Return the value behind KEYWORD in (keyword value ...), or DEFAULT, or #f.
;;> (keyword-ref '(a: 1 b: 2) 'b: 0) => 2
(define (keyword-ref list keyword . default)
  (let ((tail (keyword-tail list keyword)))
    (cond (tail (car tail))
          ((pair? default) (car default))
          (else #f))))

;;> (keyword-ref* list keyword default)
;;> Like keyword-ref, but DEFAULT is evaluated only where it is needed.
;;> (keyword-ref* '(a: 1) 'a: (error "unused")) => 1
(define-syntax keyword-ref*
  (syntax-rules ()
    ((_ list keyword default)
     (let ((tail (keyword-tail list keyword)))
       (if tail (car tail) default)))))

(define (name->keyword name)
  (string->symbol (string-append (symbol->string name) ":")))

;; LIST without the pairs of KEYWORDS.
(define (keywords-left list keywords)
  (let loop ((rest list) (out '()))
    (cond ((not (and (pair? rest) (pair? (cdr rest)))) (reverse out))
          ((memq (car rest) keywords) (loop (cddr rest) out))
          (else (loop (cddr rest) (cons (cadr rest) (cons (car rest) out)))))))

;;> (let-keywords list ((name [keyword] default) ... [rest]) body ...)
;;> Bind each name to what stands behind its keyword (its own name and a colon),
;;> or to its default, which sees none of the names; REST to what is left.
;;> (let-keywords '(b: 2) ((a 0) (b 1)) (list a b)) => (0 2)
(define-syntax let-keywords
  (syntax-rules ()
    ((_ arguments parameters body ...)
     (let ((given arguments))
       (keywords given parameters () () body ...)))))

(define-syntax keywords
  (syntax-rules ()
    ((_ given () ((name value) ...) used body ...)
     (let ((name value) ...) body ...))
    ((_ given ((name default) . more) bindings used body ...)
     (let ((keyword (name->keyword 'name)))
       (keywords-one given name keyword default more bindings used body ...)))
    ((_ given ((name key default) . more) bindings used body ...)
     (let ((keyword 'key))
       (keywords-one given name keyword default more bindings used body ...)))
    ((_ given (rest) bindings used body ...)
     (keywords given rest bindings used body ...))
    ((_ given rest ((name value) ...) (used ...) body ...)
     (let ((name value) ...
           (rest (keywords-left given (list used ...))))
       body ...))))

(define-syntax keywords-one
  (syntax-rules ()
    ((_ given name keyword default more (binding ...) (used ...) body ...)
     (let ((value (keyword-ref* given keyword default)))
       (keywords given more (binding ... (name value)) (used ... keyword)
                 body ...)))))

;;> (let-keywords* list ((name [keyword] default) ... [rest]) body ...)
;;> Like let-keywords, but each default sees the names before it.
;;> (let-keywords* '(a: 2) ((a 0) (b (+ a 1))) (list a b)) => (2 3)
(define-syntax let-keywords*
  (syntax-rules ()
    ((_ arguments parameters body ...)
     (let ((given arguments))
       (keywords* given parameters () body ...)))))

(define-syntax keywords*
  (syntax-rules ()
    ((_ given () used body ...) (let () body ...))
    ((_ given ((name default) . more) (used ...) body ...)
     (let* ((keyword (name->keyword 'name))
            (name (keyword-ref* given keyword default)))
       (keywords* given more (used ... keyword) body ...)))
    ((_ given ((name key default) . more) (used ...) body ...)
     (let* ((keyword 'key)
            (name (keyword-ref* given keyword default)))
       (keywords* given more (used ... keyword) body ...)))
    ((_ given (rest) used body ...)
     (keywords* given rest used body ...))
    ((_ given rest (used ...) body ...)
     (let ((rest (keywords-left given (list used ...)))) body ...))))
