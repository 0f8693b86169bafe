;;; SRFI 197, the body. PLACE is the placeholder, DOTS the ellipsis that is in
;;; force. (chain-same? a b yes no) compares identifiers.

(define-syntax chain-same?
  (syntax-rules ()
    ((_ (x . y) name yes no) no)
    ((_ () name yes no) no)
    ((_ #(x ...) name yes no) no)
    ((_ item name yes no)
     (let-syntax
         ((test (syntax-rules (name)
                  ((test name y n) y)
                  ((test other y n) n))))
       (test item yes no)))))

;;> (chain initial [placeholder [ellipsis]] step ...)
;;> Evaluate each step with the values of the one before it in the place of its
;;> placeholders _; _ ... takes all that are left. (chain 1 (+ _ 2) (* _ 10)) => 30
(define-syntax chain
  (syntax-rules ::: (...)
    ((_ initial) initial)
    ((_ initial (step :::) . rest)
     (chain-steps initial _ ... ((step :::) . rest)))
    ((_ initial place (step :::) . rest)
     (chain-steps initial place ... ((step :::) . rest)))
    ((_ initial place dots . steps)
     (chain-steps initial place dots steps))))

(define-syntax chain-steps
  (syntax-rules ()
    ((_ initial place dots ()) initial)
    ((_ initial place dots (step . rest))
     (chain-step step () () place dots
                 (chain-apply initial place dots rest)))))

;; Go through the items of a step: those behind go on as (k (argument ...)
;; (name ...) rest-name-or-#f). The use is (k0 argument ... items names rest).
(define-syntax chain-step
  (syntax-rules ()
    ((_ () items names place dots (k argument ...))
     (k argument ... items names #f))
    ((_ (item next) (done ...) names place dots (k argument ...))
     (chain-same? item place
       (chain-same? next dots
         (k argument ... (done ...) names more)
         (chain-step-place (next) (done ...) names place dots (k argument ...)))
       (chain-step (next) (done ... item) names place dots (k argument ...))))
    ((_ (item . rest) (done ...) names place dots (k argument ...))
     (chain-same? item place
       (chain-step-place rest (done ...) names place dots (k argument ...))
       (chain-step rest (done ... item) names place dots (k argument ...))))))

(define-syntax chain-step-place
  (syntax-rules ()
    ((_ rest (done ...) (name ...) place dots k)
     (chain-step rest (done ... value) (name ... value) place dots k))))

(define-syntax chain-apply
  (syntax-rules ()
    ((_ initial place dots steps items () #f)
     (chain-steps (begin initial items) place dots steps))
    ((_ initial place dots steps items (name) #f)
     (chain-steps (let ((name initial)) items) place dots steps))
    ((_ initial place dots steps items (name ...) #f)
     (chain-steps (call-with-values (lambda () initial)
                    (lambda (name ...) items))
                  place dots steps))
    ((_ initial place dots steps (item ...) (name ...) more)
     (chain-steps (call-with-values (lambda () initial)
                    (lambda (name ... . more) (apply item ... more)))
                  place dots steps))))

;;> (chain-and initial [placeholder] step ...)
;;> Like chain with one value, but stop with #f at the first #f.
;;> (chain-and '(1 2) (memv 3 _) (car _)) => #f
(define-syntax chain-and
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (step ...) . rest) (chain-and-steps initial _ ((step ...) . rest)))
    ((_ initial place . steps) (chain-and-steps initial place steps))))

(define-syntax chain-and-steps
  (syntax-rules ()
    ((_ initial place ()) initial)
    ((_ initial place (step . rest))
     (chain-step step () () place no-dots (chain-and-apply initial place rest)))))

(define-syntax chain-and-apply
  (syntax-rules ()
    ((_ initial place steps items () #f)
     (chain-and-steps (and initial items) place steps))
    ((_ initial place steps items (name) #f)
     (chain-and-steps (let ((name initial)) (and name items)) place steps))
    ((_ initial place steps items names more)
     (syntax-error "a step of chain-and has one placeholder at most" items))))

;;> (chain-when initial [placeholder] ([guard] step) ...)
;;> Like chain with one value, but a step whose guard is #f is left out.
;;> (chain-when 1 ((odd? _) (+ _ 1)) ((odd? _) (+ _ 1))) => 2
(define-syntax chain-when
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial ((guard . g) (step . s)) . rest)
     (chain-when-steps initial _ (((guard . g) (step . s)) . rest)))
    ((_ initial (guard (step . s)) . rest)
     (chain-when-steps initial _ ((guard (step . s)) . rest)))
    ((_ initial ((step . s)) . rest)
     (chain-when-steps initial _ (((step . s)) . rest)))
    ((_ initial place . steps) (chain-when-steps initial place steps))))

(define-syntax chain-when-steps
  (syntax-rules ()
    ((_ initial place ()) initial)
    ((_ initial place ((step) . rest))
     (chain-step step () () place no-dots (chain-when-apply initial place rest #t)))
    ((_ initial place (((guard . g) step) . rest))
     (chain-step (guard . g) () () place no-dots
                 (chain-when-guard initial place rest step)))
    ((_ initial place ((guard step) . rest))
     (chain-step step () () place no-dots
                 (chain-when-apply initial place rest guard)))))

;; The value gets a name first, which the guard and the step both take.
(define-syntax chain-when-guard
  (syntax-rules ()
    ((_ initial place rest step items () #f)
     (chain-step step () () place no-dots
                 (chain-when-apply initial place rest items)))
    ((_ initial place rest step items (name) #f)
     (let ((value initial))
       (chain-step step () () place no-dots
                   (chain-when-apply value place rest
                                     (let ((name value)) items)))))
    ((_ initial place rest step items names more)
     (syntax-error "a guard of chain-when has one placeholder at most" items))))

(define-syntax chain-when-apply
  (syntax-rules ()
    ((_ initial place steps guard items () #f)
     (chain-when-steps (let ((value initial)) (if guard items value))
                       place steps))
    ((_ initial place steps guard items (name) #f)
     (chain-when-steps (let ((name initial)) (if guard items name))
                       place steps))
    ((_ initial place steps guard items names more)
     (syntax-error "a step of chain-when has one placeholder at most" items))))

;;> (chain-lambda [placeholder [ellipsis]] step ...)
;;> Return a procedure that takes the values of the first step's placeholders.
;;> ((chain-lambda (+ _ 1) (* _ 2)) 3) => 8
(define-syntax chain-lambda
  (syntax-rules ::: (...)
    ((_ (step :::) . rest)
     (chain-step (step :::) () () _ ... (chain-lambda-of _ ... rest)))
    ((_ place (step :::) . rest)
     (chain-step (step :::) () () place ... (chain-lambda-of place ... rest)))
    ((_ place dots (step :::) . rest)
     (chain-step (step :::) () () place dots
                 (chain-lambda-of place dots rest)))))

(define-syntax chain-lambda-of
  (syntax-rules ()
    ((_ place dots steps items names #f)
     (lambda names (chain-steps items place dots steps)))
    ((_ place dots steps (item ...) (name ...) more)
     (lambda (name ... . more)
       (chain-steps (apply item ... more) place dots steps)))))

;;> (nest [placeholder] step ... initial)
;;> Put each step, from the last one on, in the place of _ in the one before it.
;;> (nest (+ 1 _) (* 2 _) 5) => 11
(define-syntax nest
  (syntax-rules ()
    ((_ last) last)
    ((_ (step ...) . rest) (nest-steps _ () ((step ...) . rest)))
    ((_ place . rest) (nest-steps place () rest))))

(define-syntax nest-steps
  (syntax-rules ()
    ((_ place steps (last)) (nest-all place last steps))
    ((_ place steps (step . rest)) (nest-steps place (step . steps) rest))))

;; STEPS is innermost first.
(define-syntax nest-all
  (syntax-rules ()
    ((_ place inner ()) inner)
    ((_ place inner ((item ...) . rest))
     (nest-step place inner (item ...) () rest))))

(define-syntax nest-step
  (syntax-rules ()
    ((_ place inner () (done ...) steps)
     (syntax-error "a step of nest without a placeholder" (done ...)))
    ((_ place inner (item . rest) (done ...) steps)
     (chain-same? item place
       (nest-done place (done ...) inner rest steps)
       (nest-step place inner rest (done ... item) steps)))))

(define-syntax nest-done
  (syntax-rules ()
    ((_ place (done ...) inner (rest ...) steps)
     (nest-all place (done ... inner rest ...) steps))))

;;> (nest-reverse initial [placeholder] step ...)
;;> Put each step in the place of _ in the one behind it.
;;> (nest-reverse 5 (* 2 _) (+ 1 _)) => 11
(define-syntax nest-reverse
  (syntax-rules ()
    ((_ initial) initial)
    ((_ initial (step ...) . rest) (nest-all _ initial ((step ...) . rest)))
    ((_ initial place . steps) (nest-all place initial steps))))
