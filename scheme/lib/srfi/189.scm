;;; SRFI 189, the body.

(define-record-type <just> (make-just objects) just? (objects just-objects))
(define-record-type <nothing> (make-nothing) nothing?)
(define-record-type <right> (make-right objects) right? (objects right-objects))
(define-record-type <left> (make-left objects) left? (objects left-objects))

(define the-nothing (make-nothing))

(define (fail who text object)
  (error (string-append (symbol->string who) ": " text) object))
(define (check who test text object)
  (if (not (test object)) (fail who text object)))
(define (one who objects)
  (if (and (pair? objects) (null? (cdr objects)))
      (car objects)
      (fail who "not one value" objects)))

;;> (just object ...), (nothing), (right object ...), (left object ...)
;;> Return a Just, the Nothing, a Right or a Left. (maybe-ref (just 1) list) => 1
(define (just . objects) (make-just objects))
(define (nothing) the-nothing)
(define (right . objects) (make-right objects))
(define (left . objects) (make-left objects))

;;> (list->just list), (list->right list), (list->left list)
;;> The same with the elements of LIST. (maybe-length (list->just '(1 2))) => 1
(define (list->just list) (make-just (append list '())))
(define (list->right list) (make-right (append list '())))
(define (list->left list) (make-left (append list '())))

;;> (just? object), (nothing? object), (maybe? object), (right? object), (left? object),
;;> (either? object)
;;> What is OBJECT? (maybe? (nothing)) => #t
(define (maybe? object) (or (just? object) (nothing? object)))
(define (either? object) (or (right? object) (left? object)))

(define (check-maybe who object) (check who maybe? "not a Maybe" object))
(define (check-either who object) (check who either? "not an Either" object))

;;> (maybe->either maybe object ...), (either->maybe either), (either-swap either)
;;> A Just becomes a Right, Nothing a Left of the OBJECTs; a Right a Just, a Left Nothing; a
;;> Right a Left and the other way.
(define (maybe->either maybe . objects)
  (check-maybe 'maybe->either maybe)
  (if (just? maybe) (make-right (just-objects maybe)) (make-left objects)))
(define (either->maybe either)
  (check-either 'either->maybe either)
  (if (right? either) (make-just (right-objects either)) the-nothing))
(define (either-swap either)
  (check-either 'either-swap either)
  (if (right? either) (make-left (right-objects either)) (make-right (left-objects either))))

(define (same-lists? equal a b)
  (cond ((null? a) (null? b))
        ((null? b) #f)
        (else (and (equal (car a) (car b)) (same-lists? equal (cdr a) (cdr b))))))

(define (chain? test objects)
  (or (null? (cdr objects))
      (and (test (car objects) (cadr objects)) (chain? test (cdr objects)))))

;;> (maybe= equal maybe maybe ...), (either= equal either either ...)
;;> Are they of one kind, with values that are EQUAL? (maybe= = (just 1) (just 1)) => #t
(define (maybe= equal . maybes)
  (for-each (lambda (m) (check-maybe 'maybe= m)) maybes)
  (chain? (lambda (a b)
            (if (just? a)
                (and (just? b) (same-lists? equal (just-objects a) (just-objects b)))
                (nothing? b)))
          maybes))
(define (either= equal . eithers)
  (for-each (lambda (e) (check-either 'either= e)) eithers)
  (chain? (lambda (a b)
            (if (right? a)
                (and (right? b) (same-lists? equal (right-objects a) (right-objects b)))
                (and (left? b) (same-lists? equal (left-objects a) (left-objects b)))))
          eithers))

;; -- accessors --------------------------------------------------------------------

;;> (maybe-ref maybe failure [success]), (either-ref either failure [success])
;;> Return the values, of SUCCESS or as they are; FAILURE is called for Nothing, and with the
;;> values of a Left. (maybe-ref (nothing) (lambda () 0)) => 0
(define (maybe-ref maybe failure . success)
  (check-maybe 'maybe-ref maybe)
  (if (just? maybe)
      (apply (if (pair? success) (car success) values) (just-objects maybe))
      (failure)))
(define (either-ref either failure . success)
  (check-either 'either-ref either)
  (if (right? either)
      (apply (if (pair? success) (car success) values) (right-objects either))
      (apply failure (left-objects either))))

;;> (maybe-ref/default maybe object ...), (either-ref/default either object ...)
;;> Return the values, or the OBJECTs. (maybe-ref/default (nothing) 0) => 0
(define (maybe-ref/default maybe . objects)
  (maybe-ref maybe (lambda () (apply values objects))))
(define (either-ref/default either . objects)
  (either-ref either (lambda ignored (apply values objects))))

;;> (maybe-join maybe), (either-join either)
;;> Return the Maybe or Either inside. (maybe-ref (maybe-join (just (just 1))) list) => 1
(define (maybe-join maybe)
  (check-maybe 'maybe-join maybe)
  (if (just? maybe)
      (let ((inner (one 'maybe-join (just-objects maybe))))
        (check-maybe 'maybe-join inner)
        inner)
      maybe))
(define (either-join either)
  (check-either 'either-join either)
  (if (right? either)
      (let ((inner (one 'either-join (right-objects either))))
        (check-either 'either-join inner)
        inner)
      either))

;;> (maybe-bind maybe procedure ...), (either-bind either procedure ...)
;;> Give the values to one procedure after the other, as long as each answers a Just or Right.
;;> (maybe-ref (maybe-bind (just 1) (lambda (x) (just (+ x 1)))) list) => 2
(define (maybe-bind maybe . procedures)
  (check-maybe 'maybe-bind maybe)
  (if (or (null? procedures) (nothing? maybe))
      maybe
      (apply maybe-bind (apply (car procedures) (just-objects maybe)) (cdr procedures))))
(define (either-bind either . procedures)
  (check-either 'either-bind either)
  (if (or (null? procedures) (left? either))
      either
      (apply either-bind (apply (car procedures) (right-objects either)) (cdr procedures))))

;;> (maybe-compose procedure ...), (either-compose procedure ...)
;;> Return the procedure that binds its arguments to these.
(define (maybe-compose first . rest)
  (lambda arguments (apply maybe-bind (apply first arguments) rest)))
(define (either-compose first . rest)
  (lambda arguments (apply either-bind (apply first arguments) rest)))

;; -- sequences ---------------------------------------------------------------------

;;> (maybe-length maybe), (either-length either)
;;> Return 1 for a Just or Right, else 0. (maybe-length (just 1 2)) => 1
(define (maybe-length maybe)
  (check-maybe 'maybe-length maybe)
  (if (just? maybe) 1 0))
(define (either-length either)
  (check-either 'either-length either)
  (if (right? either) 1 0))

;;> (maybe-filter predicate maybe), (maybe-remove predicate maybe),
;;> (either-filter predicate either object ...), (either-remove predicate either object ...)
;;> Return it where PREDICATE holds, or does not; else Nothing, or a Left of the OBJECTs.
(define (maybe-filter predicate maybe)
  (check-maybe 'maybe-filter maybe)
  (if (and (just? maybe) (apply predicate (just-objects maybe))) maybe the-nothing))
(define (maybe-remove predicate maybe)
  (maybe-filter (lambda objects (not (apply predicate objects))) maybe))
(define (either-filter predicate either . objects)
  (check-either 'either-filter either)
  (if (and (right? either) (apply predicate (right-objects either)))
      either
      (make-left objects)))
(define (either-remove predicate either . objects)
  (apply either-filter (lambda values (not (apply predicate values))) either objects))

(define (sequence container map failed? objects aggregator make)
  (call/cc
   (lambda (return)
     (make (list (map (lambda (inner)
                        (if (failed? inner) (return inner))
                        (apply aggregator (objects inner)))
                      container))))))

;;> (maybe-sequence container map [aggregator]), (either-sequence container map [aggregator])
;;> Return a Just or Right of the container, walked by MAP, of what AGGREGATOR, at first list,
;;> makes of the values in it; the first Nothing or Left where there is one.
;;> (maybe-ref (maybe-sequence (list (just 1) (just 2)) map) list) => ((1) (2))
(define (maybe-sequence container map . aggregator)
  (sequence container map nothing? just-objects
            (if (pair? aggregator) (car aggregator) list) make-just))
(define (either-sequence container map . aggregator)
  (sequence container map left? right-objects
            (if (pair? aggregator) (car aggregator) list) make-right))

;; -- protocols ---------------------------------------------------------------------

;;> (maybe->list maybe), (either->list either), (list->maybe list),
;;> (list->either list object ...)
;;> The list of the values; the empty list stands for Nothing, or a Left of the OBJECTs.
;;> (maybe->list (just 1 2)) => (1 2)
(define (maybe->list maybe)
  (check-maybe 'maybe->list maybe)
  (if (just? maybe) (just-objects maybe) '()))
(define (either->list either)
  (check-either 'either->list either)
  (if (right? either) (right-objects either) (left-objects either)))
(define (list->maybe list) (if (null? list) the-nothing (make-just list)))
(define (list->either list . objects)
  (if (null? list) (make-left objects) (make-right list)))

;;> (maybe->truth maybe), (either->truth either), (truth->maybe object),
;;> (truth->either object fail-object ...)
;;> The one value; #f stands for Nothing or a Left. (maybe->truth (nothing)) => #f
(define (maybe->truth maybe)
  (check-maybe 'maybe->truth maybe)
  (and (just? maybe) (one 'maybe->truth (just-objects maybe))))
(define (either->truth either)
  (check-either 'either->truth either)
  (and (right? either) (one 'either->truth (right-objects either))))
(define (truth->maybe object) (if object (just object) the-nothing))
(define (truth->either object . fail-objects)
  (if object (right object) (make-left fail-objects)))

;;> (maybe->list-truth maybe), (either->list-truth either), (list-truth->maybe list-or-false),
;;> (list-truth->either list-or-false object ...)
;;> The list of the values; #f stands for Nothing or a Left.
(define (maybe->list-truth maybe)
  (check-maybe 'maybe->list-truth maybe)
  (and (just? maybe) (just-objects maybe)))
(define (either->list-truth either)
  (check-either 'either->list-truth either)
  (and (right? either) (right-objects either)))
(define (list-truth->maybe list) (if list (make-just list) the-nothing))
(define (list-truth->either list . objects)
  (if list (make-right list) (make-left objects)))

;;> (maybe->generation maybe), (either->generation either), (generation->maybe object),
;;> (generation->either object fail-object ...)
;;> The one value; the end-of-file object stands for Nothing or a Left.
(define (maybe->generation maybe)
  (check-maybe 'maybe->generation maybe)
  (if (just? maybe) (one 'maybe->generation (just-objects maybe)) (eof-object)))
(define (either->generation either)
  (check-either 'either->generation either)
  (if (right? either) (one 'either->generation (right-objects either)) (eof-object)))
(define (generation->maybe object)
  (if (eof-object? object) the-nothing (just object)))
(define (generation->either object . fail-objects)
  (if (eof-object? object) (make-left fail-objects) (right object)))

;;> (maybe->values maybe), (either->values either), (values->maybe producer),
;;> (values->either producer object ...)
;;> The values; none stand for Nothing or a Left.
(define (maybe->values maybe) (apply values (maybe->list maybe)))
(define (either->values either)
  (check-either 'either->values either)
  (if (right? either) (apply values (right-objects either)) (values)))
(define (values->maybe producer) (call-with-values producer (lambda all (list->maybe all))))
(define (values->either producer . objects)
  (call-with-values producer (lambda all (apply list->either all objects))))

;;> (maybe->two-values maybe), (two-values->maybe producer)
;;> The value and #t, or #f twice.
(define (maybe->two-values maybe)
  (check-maybe 'maybe->two-values maybe)
  (if (just? maybe)
      (values (one 'maybe->two-values (just-objects maybe)) #t)
      (values #f #f)))
(define (two-values->maybe producer)
  (call-with-values producer
    (lambda (value success?) (if success? (just value) the-nothing))))

;;> (exception->either predicate thunk)
;;> Return a Right of the values of THUNK, or a Left of what it raises, where PREDICATE holds
;;> for that. (left? (exception->either error-object? (lambda () (error "x")))) => #t
(define (exception->either predicate thunk)
  (guard (object ((predicate object) (left object)))
    (call-with-values thunk right)))

;; -- map and fold ---------------------------------------------------------------------

;;> (maybe-map procedure maybe), (either-map procedure either),
;;> (maybe-for-each procedure maybe), (either-for-each procedure either)
;;> Make a Just or Right of what PROCEDURE returns for the values; or only call it.
;;> (maybe-ref (maybe-map - (just 1)) list) => -1
(define (maybe-map procedure maybe)
  (check-maybe 'maybe-map maybe)
  (if (just? maybe)
      (call-with-values (lambda () (apply procedure (just-objects maybe))) just)
      maybe))
(define (either-map procedure either)
  (check-either 'either-map either)
  (if (right? either)
      (call-with-values (lambda () (apply procedure (right-objects either))) right)
      either))
(define (maybe-for-each procedure maybe)
  (maybe-map procedure maybe)
  (if #f #f))
(define (either-for-each procedure either)
  (either-map procedure either)
  (if #f #f))

;;> (maybe-fold kons knil maybe), (either-fold kons knil either)
;;> Return (KONS value ... KNIL), or KNIL where there are no values.
;;> (maybe-fold + 1 (just 2)) => 3
(define (maybe-fold kons knil maybe)
  (check-maybe 'maybe-fold maybe)
  (if (just? maybe) (apply kons (append (just-objects maybe) (list knil))) knil))
(define (either-fold kons knil either)
  (check-either 'either-fold either)
  (if (right? either) (apply kons (append (right-objects either) (list knil))) knil))

;;> (maybe-unfold stop? mapper successor seed ...), (either-unfold stop? mapper successor seed ...)
;;> Return Nothing, or a Left of the seeds, where STOP? holds; else a Just or Right of what
;;> MAPPER makes of them. After that STOP? must hold.
(define (maybe-unfold stop? mapper successor . seeds)
  (if (apply stop? seeds)
      the-nothing
      (begin
        (check-end 'maybe-unfold stop? successor seeds)
        (call-with-values (lambda () (apply mapper seeds)) just))))
(define (either-unfold stop? mapper successor . seeds)
  (if (apply stop? seeds)
      (make-left seeds)
      (begin
        (check-end 'either-unfold stop? successor seeds)
        (call-with-values (lambda () (apply mapper seeds)) right))))
(define (check-end who stop? successor seeds)
  (call-with-values (lambda () (apply successor seeds))
    (lambda next
      (if (not (apply stop? next)) (fail who "there is more than one step" next)))))

;; -- syntax -----------------------------------------------------------------------------

;;> (maybe-if maybe then else)
;;> THEN for a Just, ELSE for Nothing. (maybe-if (just 1) 'yes 'no) => yes
(define-syntax maybe-if
  (syntax-rules ()
    ((_ maybe then else)
     (let ((m maybe))
       (check-maybe 'maybe-if m)
       (if (just? m) then else)))))

;;> (maybe-and maybe ...), (maybe-or maybe ...), (either-and either ...), (either-or either ...)
;;> The first Nothing or Left, or the last; the first Just or Right, or the last.
(define-syntax define-choice
  (syntax-rules ()
    ((_ name check-it stop? none)
     (define-syntax name
       (syntax-rules ()
         ((_ ) none)
         ((_ last)
          (let ((m last)) (check-it 'name m) m))
         ((_ first . rest)
          (let ((m first))
            (check-it 'name m)
            (if (stop? m) m (name . rest)))))))))
(define-choice maybe-and check-maybe nothing? (just (if #f #f)))
(define-choice maybe-or check-maybe just? the-nothing)
(define-choice either-and check-either left? (right (if #f #f)))
(define-choice either-or check-either right? (left (if #f #f)))

;;> (maybe-let* (claw ...) body ...), (either-let* (claw ...) body ...)
;;> A claw is (name expression), (expression) or a name; each must be a Just or Right, whose
;;> one value NAME is then. The result is one of the value of the body.
;;> (maybe-ref (maybe-let* ((x (just 1)) ((just 2))) (+ x 1)) list) => 2
;;> (maybe-let*-values (claw ...) body ...), (either-let*-values (claw ...) body ...)
;;> The same with formals for the values in place of names.
(define-syntax define-let
  (syntax-rules ()
    ((_ name name-values check-it failed? objects make)
     (begin
       (define-syntax name
         (syntax-rules ()
           ((_ ()) (make (if #f #f)))
           ((_ () . body) (call-with-values (lambda () . body) make))
           ((_ ((variable expression) . claws) . body)
            (let ((m expression))
              (check-it 'name m)
              (if (failed? m)
                  m
                  (let ((variable (one 'name (objects m))))
                    (name claws . body)))))
           ((_ ((expression) . claws) . body)
            (let ((m expression))
              (check-it 'name m)
              (if (failed? m) m (name claws . body))))
           ((_ (id . claws) . body)
            (begin
              (check-it 'name id)
              (if (failed? id) id (name claws . body))))))
       (define-syntax name-values
         (syntax-rules ()
           ((_ ()) (make (if #f #f)))
           ((_ () . body) (call-with-values (lambda () . body) make))
           ((_ ((formals expression) . claws) . body)
            (let ((m expression))
              (check-it 'name-values m)
              (if (failed? m)
                  m
                  (apply (lambda formals (name-values claws . body)) (objects m)))))
           ((_ ((expression) . claws) . body)
            (let ((m expression))
              (check-it 'name-values m)
              (if (failed? m) m (name-values claws . body))))
           ((_ (id . claws) . body)
            (begin
              (check-it 'name-values id)
              (if (failed? id) id (name-values claws . body))))))))))
(define-let maybe-let* maybe-let*-values check-maybe nothing? just-objects just)
(define-let either-let* either-let*-values check-either left? right-objects right)

;;> (either-guard predicate body ...)
;;> A Right of the values of the body, or a Left of what it raises where PREDICATE holds.
(define-syntax either-guard
  (syntax-rules ()
    ((_ predicate . body) (exception->either predicate (lambda () . body)))))

;; -- trivalent logic --------------------------------------------------------------------

(define (truth who maybe)
  (check-maybe who maybe)
  (if (just? maybe) (and (one who (just-objects maybe)) #t) 'unknown))

;;> (tri-not maybe), (tri=? maybe maybe ...), (tri-and maybe ...), (tri-or maybe ...),
;;> (tri-merge maybe ...)
;;> Logic of Just true, Just #f and Nothing, what is not known: the contrary; are all known
;;> and the same; the first that is not true, or Just #t; the first that is not #f, or Just #f;
;;> the first that is known. (maybe-ref (tri-not (just #t)) list) => #f
(define (tri-not maybe)
  (let ((t (truth 'tri-not maybe)))
    (if (eq? t 'unknown) maybe (just (not t)))))
(define (tri=? first . rest)
  (let ((t (truth 'tri=? first)))
    (let loop ((rest rest))
      (cond ((eq? t 'unknown) (just #f))
            ((null? rest) (just #t))
            ((eq? t (truth 'tri=? (car rest))) (loop (cdr rest)))
            (else (just #f))))))
(define (tri-and . maybes)
  (cond ((null? maybes) (just #t))
        ((eq? #t (truth 'tri-and (car maybes))) (apply tri-and (cdr maybes)))
        (else (car maybes))))
(define (tri-or . maybes)
  (cond ((null? maybes) (just #f))
        ((eq? #f (truth 'tri-or (car maybes))) (apply tri-or (cdr maybes)))
        (else (car maybes))))
(define (tri-merge . maybes)
  (cond ((null? maybes) the-nothing)
        ((eq? 'unknown (truth 'tri-merge (car maybes))) (apply tri-merge (cdr maybes)))
        (else (car maybes))))
