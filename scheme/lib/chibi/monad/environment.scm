;;; (chibi monad environment), the body. An operation is a procedure of a state: a
;;; record of the monad's fields and an alist of all else. It answers the state to go
;;; on with, or, by `return`, a value.

;;> (define-environment-monad name keyword: value ...)
;;> Define a monad. (fields: (field init get set) ...) names its variables; the other
;;> keywords say how the operators are to be called: sequence: bind: bind-fork: local:
;;> local!: run: return: copy:, and ask: and tell: with two names each, of syntax and
;;> of a procedure.
;;>
;;> (sequence a ...) does one after the other. (bind (variable ...) expression ...)
;;> reads variables, as (name variable) under another name, and does the operation
;;> that it evaluates to. (bind-fork a b) does A on a copy, then B. (local ((variable
;;> value) ...) a) does A with other values, (local! (variable value) ...) changes
;;> them. (return x) answers X. (run operation) begins.
(define-syntax define-environment-monad
  (syntax-rules ()
    ((_ name clause ...)
     (collect name
              ((ask: ask ask-procedure) (tell: tell tell-procedure)
               (copy: copy) (bind: bind) (bind-fork: bind-fork)
               (sequence: sequence) (run: run) (return: return)
               (local: local) (local!: local!))
              () clause ...))))

;; Put what a clause names in the place of what stands there now.
(define-syntax collect
  (syntax-rules (fields: ask: tell: copy: bind: bind-fork: sequence: run: return:
                 local: local!:)
    ((_ name operators () )
     (syntax-error "define-environment-monad: there is no fields: clause" name))
    ((_ name operators fields)
     (define-monad name operators . fields))
    ((_ name operators () (fields: . fields) . clauses)
     (collect name operators (fields) . clauses))
    ((_ name (a t c b f s r x l u) fields (ask: . p) . clauses)
     (collect name ((ask: . p) t c b f s r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (tell: . p) . clauses)
     (collect name (a (tell: . p) c b f s r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (copy: . p) . clauses)
     (collect name (a t (copy: . p) b f s r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (bind: . p) . clauses)
     (collect name (a t c (bind: . p) f s r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (bind-fork: . p) . clauses)
     (collect name (a t c b (bind-fork: . p) s r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (sequence: . p) . clauses)
     (collect name (a t c b f (sequence: . p) r x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (run: . p) . clauses)
     (collect name (a t c b f s (run: . p) x l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (return: . p) . clauses)
     (collect name (a t c b f s r (return: . p) l u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (local: . p) . clauses)
     (collect name (a t c b f s r x (local: . p) u) fields . clauses))
    ((_ name (a t c b f s r x l u) fields (local!: . p) . clauses)
     (collect name (a t c b f s r x l (local!: . p)) fields . clauses))
    ((_ name operators fields clause . clauses)
     (syntax-error "define-environment-monad: unknown clause" clause))))

(define-syntax define-monad
  (syntax-rules ()
    ((_ name ((_ ask ask-procedure) (_ tell tell-procedure) (_ copy) (_ bind)
              (_ bind-fork) (_ sequence) (_ run) (_ return) (_ local) (_ local!))
        ((field init get set) ...))
     (begin
       (define-record-type name
         (make-state field ... others)
         state?
         (field get set) ...
         (others state-others set-state-others!))
       (define (ask-procedure state variable)
         (case variable
           ((field) (get state)) ...
           (else
            (let ((entry (assq variable (state-others state))))
              (and entry (cdr entry))))))
       (define (tell-procedure state variable value)
         (case variable
           ((field) (set state value)) ...
           (else
            (let ((entry (assq variable (state-others state))))
              (if entry
                  (set-cdr! entry value)
                  (set-state-others!
                   state
                   (cons (cons variable value) (state-others state))))))))
       (define (copy state)
         (make-state (get state) ...
                     (map (lambda (entry) (cons (car entry) (cdr entry)))
                          (state-others state))))
       (define (run operation)
         (operation (make-state init ... '())))
       (define (return x) (lambda (state) x))
       (define-syntax ask
         (syntax-rules ()
           ((_ state variable) (ask-procedure state variable))))
       (define-syntax tell
         (syntax-rules ()
           ((_ state variable value) (tell-procedure state variable value))))
       (define-operators ask-procedure tell-procedure copy bind bind-fork
         sequence local local!)))))

(define-syntax define-operators
  (syntax-rules ()
    ((_ ask tell copy bind bind-fork sequence local local!)
     (begin
       (define-syntax bind
         (syntax-rules ::: ()
           ((_ "read" ((variable name) :::) () . body)
            (lambda (state)
              (let ((variable (ask state 'name)) :::)
                ((let () . body) state))))
           ((_ "read" (done :::) ((variable name) . more) . body)
            (bind "read" (done ::: (variable name)) more . body))
           ((_ "read" (done :::) ((variable) . more) . body)
            (bind "read" (done ::: (variable variable)) more . body))
           ((_ "read" (done :::) (variable . more) . body)
            (bind "read" (done ::: (variable variable)) more . body))
           ((_ variables . body)
            (bind "read" () variables . body))))
       (define-syntax bind-fork
         (syntax-rules ()
           ((_ a) a)
           ((_ a . more)
            (let ((first a) (rest (bind-fork . more)))
              (lambda (state)
                (first (copy state))
                (rest state))))))
       (define-syntax sequence
         (syntax-rules ()
           ((_ a) a)
           ((_ a . more)
            (let ((first a) (rest (sequence . more)))
              (lambda (state) (rest (first state)))))))
       (define-syntax local!
         (syntax-rules ::: ()
           ((_ (variable value) :::)
            (lambda (state)
              (tell state 'variable value) :::
              state))))
       (define-syntax local
         (syntax-rules ::: ()
           ((_ "save" ((variable value old) :::) () . body)
            (lambda (state)
              (let ((old (ask state 'variable)) :::)
                (tell state 'variable value) :::
                (let ((after ((let () . body) state)))
                  (tell after 'variable old) :::
                  after))))
           ((_ "save" (done :::) ((variable value) . more) . body)
            (local "save" (done ::: (variable value old)) more . body))
           ((_ bindings . body)
            (local "save" () bindings . body))))))))
