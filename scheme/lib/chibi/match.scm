;;; (chibi match), the body.
;;;
;;; (match-one value pattern success failure): SUCCESS is an expression that is
;;; evaluated with the pattern's variables bound, FAILURE one that goes on. Both
;;; are small: a call of a procedure.

;;> (match expression clause ...)
;;> Evaluate the body of the first clause whose pattern matches.
;;> (match '(1 2 3) ((a b c) (+ a b c))) => 6
(define-syntax match
  (syntax-rules ()
    ((_ expression clause ...)
     (let ((value expression))
       (match-clauses value clause ...)))))

(define (match-failed value)
  (error "match: no matching pattern" value))

(define-syntax match-clauses
  (syntax-rules (=>)
    ((_ value) (match-failed value))
    ((_ value (pattern (=> next) body ...) clause ...)
     (let ((next (lambda () (match-clauses value clause ...))))
       (match-one value pattern (let () body ...) (next))))
    ((_ value (pattern body ...) clause ...)
     (let ((next (lambda () (match-clauses value clause ...))))
       (match-one value pattern (let () body ...) (next))))))

(define-syntax match-one
  (syntax-rules (quote quasiquote and or not ? = _ ___ ..1)
    ((_ value () success failure)
     (if (null? value) success failure))
    ((_ value (quote datum) success failure)
     (if (equal? value 'datum) success failure))
    ((_ value (quasiquote pattern) success failure)
     (match-quasi value pattern success failure))
    ((_ value (and) success failure) success)
    ((_ value (and pattern . more) success failure)
     (match-one value pattern
                (match-one value (and . more) success failure)
                failure))
    ((_ value (or) success failure) failure)
    ((_ value (or pattern) success failure)
     (match-one value pattern success failure))
    ((_ value (or pattern . more) success failure)
     (match-vars (match-or value (pattern . more) success failure)
                 () (pattern)))
    ((_ value (not pattern ...) success failure)
     (match-one value (or pattern ...) failure success))
    ((_ value (? satisfied? pattern ...) success failure)
     (if (satisfied? value)
         (match-one value (and pattern ...) success failure)
         failure))
    ((_ value (= procedure pattern) success failure)
     (let ((field (procedure value)))
       (match-one field pattern success failure)))
    ((_ value (pattern dots . rest) success failure)
     (match-dots? dots
       (match-many 0 value pattern rest success failure)
       (match-many 1 value pattern rest success failure)
       (match-pair value pattern (dots . rest) success failure)))
    ((_ value (pattern . rest) success failure)
     (match-pair value pattern rest success failure))
    ((_ value #(pattern ...) success failure)
     (if (vector? value)
         (let ((elements (vector->list value)))
           (match-one elements (pattern ...) success failure))
         failure))
    ((_ value _ success failure) success)
    ((_ value pattern success failure)
     (match-identifier? pattern
       (let ((pattern value)) success)
       (if (equal? value pattern) success failure)))))

(define-syntax match-pair
  (syntax-rules ()
    ((_ value first rest success failure)
     (if (pair? value)
         (let ((head (car value))
               (tail (cdr value)))
           (match-one head first
                      (match-one tail rest success failure)
                      failure))
         failure))))

;; (match-identifier? x yes no): is X an identifier?
(define-syntax match-identifier?
  (syntax-rules ()
    ((_ (x . y) yes no) no)
    ((_ #(x ...) yes no) no)
    ((_ x yes no)
     (let-syntax
         ((test (syntax-rules ()
                  ((_ x y n) y)
                  ((_ other y n) n))))
       (test match-some-name yes no)))))

;; (match-dots? x many some other): is X ... or ___, or ..1?
(define-syntax match-dots?
  (syntax-rules (___ ..1)
    ((_ ___ many some other) many)
    ((_ ..1 many some other) some)
    ((_ (x . y) many some other) other)
    ((_ () many some other) other)
    ((_ #(x ...) many some other) other)
    ((_ x many some other)
     (let-syntax
         ((test (syntax-rules ()
                  ((_ (a x) m o) m)
                  ((_ b m o) o))))
       (test (1 2 3) many other)))))

;; Collect the variables of patterns: (match-vars (k argument ...) (name ...)
;; (pattern ...)) goes on as (k argument ... (name ...)).
(define-syntax match-vars
  (syntax-rules (quote quasiquote and or not ? = _ ___ ..1)
    ((_ (k . arguments) names ())
     (match-reversed (k . arguments) names ()))
    ((_ k names ((quote datum) . rest)) (match-vars k names rest))
    ((_ k names ((quasiquote pattern) . rest))
     (match-quasi-vars k names pattern rest))
    ((_ k names ((? satisfied? . patterns) . rest))
     (match-vars k names (patterns . rest)))
    ((_ k names ((= procedure pattern) . rest))
     (match-vars k names (pattern . rest)))
    ((_ k names ((and . patterns) . rest))
     (match-vars k names (patterns . rest)))
    ((_ k names ((or pattern . others) . rest))
     (match-vars k names (pattern . rest)))
    ((_ k names ((not . patterns) . rest)) (match-vars k names rest))
    ((_ k names (() . rest)) (match-vars k names rest))
    ((_ k names ((first . more) . rest))
     (match-vars k names (first more . rest)))
    ((_ k names (#(pattern ...) . rest))
     (match-vars k names ((pattern ...) . rest)))
    ((_ k names (_ . rest)) (match-vars k names rest))
    ((_ k names (___ . rest)) (match-vars k names rest))
    ((_ k names (..1 . rest)) (match-vars k names rest))
    ((_ k names (name . rest))
     (match-dots? name
       (match-vars k names rest)
       (match-vars k names rest)
       (match-identifier? name
         (match-vars k (name . names) rest)
         (match-vars k names rest))))))

(define-syntax match-reversed
  (syntax-rules ()
    ((_ (k . arguments) () out) (k out . arguments))
    ((_ k (name . names) out) (match-reversed k names (name . out)))))

;; Patterns of any number: PATTERN for the elements in front of what REST wants.
(define-syntax match-many
  (syntax-rules ()
    ((_ least value pattern rest success failure)
     (match-vars (match-many-of least value pattern rest success failure)
                 () (pattern)))))

(define-syntax match-many-of
  (syntax-rules ()
    ((_ (name ...) least value pattern rest success failure)
     (let* ((count (- (match-length value) (match-wanted rest))))
       (if (< count least)
           failure
           (match-collect (name ...) value count pattern rest
                          success failure))))))

;; The temporaries TAIL, LEFT and one list a name are made by the recursion.
(define-syntax match-collect
  (syntax-rules ()
    ((_ (name ...) value count pattern rest success failure)
     (let loop ((tail value) (left count) (name '()) ...)
       (if (> left 0)
           (let ((element (car tail))
                 (more (cdr tail)))
             (match-collect-one element pattern
                                (loop more (- left 1)) (name ...) failure))
           (let ((name (reverse name)) ...)
             (match-one tail rest success failure)))))))

;; (loop more left (cons name collected-name) ...): the pattern's variables hide
;; the lists of the same name, so the lists travel in one list.
(define-syntax match-collect-one
  (syntax-rules ()
    ((_ element pattern (loop more left) (name ...) failure)
     (let ((lists (list name ...)))
       (match-one element pattern
                  (apply loop more left (map cons (list name ...) lists))
                  failure)))))

;; How many pairs VALUE has at its front, and how many elements REST asks for.
(define (match-length value)
  (let loop ((rest value) (n 0))
    (if (pair? rest) (loop (cdr rest) (+ n 1)) n)))

(define-syntax match-wanted
  (syntax-rules ()
    ((_ (first . rest)) (+ 1 (match-wanted rest)))
    ((_ other) 0)))

;; The first pattern that matches; all bind the same variables.
(define-syntax match-or
  (syntax-rules ()
    ((_ (name ...) value (pattern ...) success failure)
     (let ((yes (lambda (name ...) success))
           (no (lambda () failure)))
       (match-or-each value (pattern ...) (yes name ...) (no))))))

(define-syntax match-or-each
  (syntax-rules ()
    ((_ value () success failure) failure)
    ((_ value (pattern . rest) success failure)
     (match-one value pattern success
                (match-or-each value rest success failure)))))

;; Inside a quasiquote only unquoted parts are patterns.
(define-syntax match-quasi
  (syntax-rules (unquote)
    ((_ value (unquote pattern) success failure)
     (match-one value pattern success failure))
    ((_ value (first . rest) success failure)
     (if (pair? value)
         (let ((head (car value))
               (tail (cdr value)))
           (match-quasi head first
                        (match-quasi tail rest success failure)
                        failure))
         failure))
    ((_ value #(pattern ...) success failure)
     (if (vector? value)
         (let ((elements (vector->list value)))
           (match-quasi elements (pattern ...) success failure))
         failure))
    ((_ value datum success failure)
     (if (equal? value 'datum) success failure))))

(define-syntax match-quasi-vars
  (syntax-rules (unquote)
    ((_ k names (unquote pattern) rest)
     (match-vars k names (pattern . rest)))
    ((_ k names (first . more) rest)
     (match-quasi-vars k names first ((quasiquote more) . rest)))
    ((_ k names #(pattern ...) rest)
     (match-quasi-vars k names (pattern ...) rest))
    ((_ k names datum rest) (match-vars k names rest))))

;;> (match-lambda clause ...), (match-lambda* clause ...)
;;> A procedure of one argument, or of any, that matches it (or their list).
(define-syntax match-lambda
  (syntax-rules ()
    ((_ clause ...) (lambda (value) (match value clause ...)))))
(define-syntax match-lambda*
  (syntax-rules ()
    ((_ clause ...) (lambda values (match values clause ...)))))

;;> (match-let ((pattern expression) ...) body ...), match-let*, match-letrec
;;> Bind by patterns.
(define-syntax match-let
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match (list expression ...) ((pattern ...) body ...)))
    ((_ name ((identifier expression) ...) body ...)
     (let name ((identifier expression) ...) body ...))))
(define-syntax match-let*
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((pattern expression) . rest) body ...)
     (match expression (pattern (match-let* rest body ...))))))
(define-syntax match-letrec
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match-vars (match-letrec-of ((pattern expression) ...) (body ...))
                 () (pattern ...)))))
(define-syntax match-letrec-of
  (syntax-rules ()
    ((_ (name ...) ((pattern expression) ...) (body ...))
     (let ((name #f) ...)
       (match-letrec-set (name ...) ((pattern expression) ...))
       (let () body ...)))))
(define-syntax match-letrec-set
  (syntax-rules ()
    ((_ names ()) #t)
    ((_ names ((pattern expression) . rest))
     (let ((value expression))
       (match-letrec-one names value pattern)
       (match-letrec-set names rest)))))

;; The values of PATTERN's variables, in a list, are stored one by one.
(define-syntax match-letrec-one
  (syntax-rules ()
    ((_ names value pattern)
     (match-vars (match-letrec-store value pattern) () (pattern)))))
(define-syntax match-letrec-store
  (syntax-rules ()
    ((_ (name ...) value pattern)
     (let ((values (match-one value pattern (list name ...)
                              (match-failed value))))
       (match-letrec-each (name ...) values)))))
(define-syntax match-letrec-each
  (syntax-rules ()
    ((_ () values) #t)
    ((_ (name . rest) values)
     (begin
       (set! name (car values))
       (let ((more (cdr values)))
         (match-letrec-each rest more))))))
