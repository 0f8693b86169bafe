;;; SRFI 41, the body. A stream is a record with a promise of what it is: a cell
;;; of the promise of an element and the stream behind it, or the mark of the
;;; end. The promises of streams are chained by delay-force, so that long runs of
;;; streams that answer streams take constant space.

;;> (stream? object)
;;> Is OBJECT a stream?
(define-record-type <stream>
  (make-stream promise)
  stream?
  (promise promise-of))

(define-record-type <cell>
  (make-cell element tail)
  cell?
  (element cell-element)
  (tail cell-tail))

(define (what-is stream) (force (promise-of stream)))

;; The stream that the expressions answer, when it is asked for.
(define-syntax stream-lazy
  (syntax-rules ()
    ((_ . body) (make-stream (delay-force (promise-of (let () . body)))))))

(define (check-stream who object)
  (if (not (stream? object))
      (error (string-append (symbol->string who) ": not a stream") object)))

(define (check-streams who streams)
  (if (null? streams)
      (error (string-append (symbol->string who) ": no stream")))
  (for-each (lambda (stream) (check-stream who stream)) streams))

(define (check-procedure who object)
  (if (not (procedure? object))
      (error (string-append (symbol->string who) ": not a procedure")
             object)))

(define (check-count who object)
  (if (not (and (exact-integer? object) (>= object 0)))
      (error (string-append (symbol->string who)
                            ": not an exact nonnegative integer")
             object)))

;; -- primitive ----------------------------------------------------------------

;;> stream-null
;;> The stream without elements.
(define stream-null (make-stream (make-promise 'end)))

;;> (stream-cons element stream)
;;> Return a stream; both expressions are evaluated when they are asked for,
;;> once. (stream-car (stream-cons 1 (error "never"))) => 1
(define-syntax stream-cons
  (syntax-rules ()
    ((_ element stream)
     (make-stream
      (make-promise (make-cell (delay element) (stream-lazy stream)))))))

;;> (stream-null? object)
;;> Is OBJECT a stream without elements?
(define (stream-null? object)
  (and (stream? object) (not (cell? (what-is object)))))

;;> (stream-pair? object)
;;> Is OBJECT a stream with an element?
(define (stream-pair? object)
  (and (stream? object) (cell? (what-is object))))

(define (cell-of who stream)
  (check-stream who stream)
  (let ((cell (what-is stream)))
    (if (cell? cell)
        cell
        (error (string-append (symbol->string who)
                              ": the stream is at its end")))))

;;> (stream-car stream)
;;> Return the first element.
(define (stream-car stream)
  (force (cell-element (cell-of 'stream-car stream))))

;;> (stream-cdr stream)
;;> Return the stream behind the first element.
(define (stream-cdr stream) (cell-tail (cell-of 'stream-cdr stream)))

;;> (stream-lambda formals body ...)
;;> Return a procedure that answers a stream, whose body is evaluated when that
;;> is asked for something.
(define-syntax stream-lambda
  (syntax-rules ()
    ((_ formals . body) (lambda formals (stream-lazy . body)))))

;; -- syntax -------------------------------------------------------------------

;;> (define-stream (name . formals) body ...)
;;> Define NAME as a stream-lambda.
(define-syntax define-stream
  (syntax-rules ()
    ((_ (name . formals) . body)
     (define name (stream-lambda formals . body)))))

;;> (stream-let name ((variable value) ...) body ...)
;;> A named let whose procedure answers a stream.
(define-syntax stream-let
  (syntax-rules ()
    ((_ name ((variable value) ...) . body)
     ((letrec ((name (stream-lambda (variable ...) . body))) name)
      value ...))))

;;> (stream element ...)
;;> Return the stream of these expressions, evaluated when they are asked for.
;;> (stream->list (stream 1 2)) => (1 2)
(define-syntax stream
  (syntax-rules ()
    ((_) stream-null)
    ((_ first . rest) (stream-cons first (stream . rest)))))

;;> (stream-of expression clause ...)
;;> Return the stream of EXPRESSION for all that the clauses say: (x in stream),
;;> (x is expression), or a condition.
;;> (stream->list (stream-of (* x x) (x in (stream-range 0 5)) (odd? x)))
;;> => (1 9)
(define-syntax stream-of
  (syntax-rules ()
    ((_ expression . clauses) (stream-all expression stream-null . clauses))))

;; The same, followed by the stream `behind`.
(define-syntax stream-all
  (syntax-rules (in is)
    ((_ expression behind) (stream-cons expression behind))
    ((_ expression behind (name in stream) . clauses)
     (stream-let loop ((rest stream))
       (if (stream-null? rest)
           behind
           (let ((name (stream-car rest)))
             (stream-all expression (loop (stream-cdr rest)) . clauses)))))
    ((_ expression behind (name is value) . clauses)
     (let ((name value)) (stream-all expression behind . clauses)))
    ((_ expression behind condition . clauses)
     (if condition (stream-all expression behind . clauses) behind))))

;;> (stream-match stream (pattern [fender] expression) ...)
;;> Evaluate the expression of the first pattern that fits: () the end, (a b ...)
;;> elements to the end, (a . rest) elements and the stream behind them, a name
;;> the stream; _ binds nothing.
;;> (stream-match (stream 1 2) (() 'none) ((a b) (+ a b))) => 3
(define-syntax stream-match
  (syntax-rules ()
    ((_ expression . clauses)
     (let ((stream expression))
       (check-stream 'stream-match stream)
       (match-clauses stream . clauses)))))

(define-syntax match-clauses
  (syntax-rules ()
    ((_ stream) (error "stream-match: no pattern fits"))
    ((_ stream (pattern . body) . clauses)
     (let ((next (lambda () (match-clauses stream . clauses))))
       (match-pattern stream pattern body next)))))

(define-syntax match-pattern
  (syntax-rules (_)
    ((_ stream () body next)
     (if (stream-null? stream) (match-body body next) (next)))
    ((_ stream (_ . rest) body next)
     (if (stream-pair? stream)
         (let ((tail (stream-cdr stream)))
           (match-pattern tail rest body next))
         (next)))
    ((_ stream (name . rest) body next)
     (if (stream-pair? stream)
         (let ((name (stream-car stream))
               (tail (stream-cdr stream)))
           (match-pattern tail rest body next))
         (next)))
    ((_ stream _ body next) (match-body body next))
    ((_ stream name body next)
     (let ((name stream)) (match-body body next)))))

(define-syntax match-body
  (syntax-rules ()
    ((_ (expression) next) expression)
    ((_ (fender expression) next) (if fender expression (next)))))

;; -- conversion ---------------------------------------------------------------

;;> (list->stream list)
;;> Return the stream of the elements of LIST.
(define (list->stream list)
  (if (not (list? list)) (error "list->stream: not a list" list))
  (stream-let loop ((rest list))
    (if (pair? rest)
        (stream-cons (car rest) (loop (cdr rest)))
        stream-null)))

;;> (port->stream [port])
;;> Return the stream of the characters of PORT, read when they are asked for.
(define (port->stream . rest)
  (let ((port (if (pair? rest) (car rest) (current-input-port))))
    (if (not (input-port? port))
        (error "port->stream: not an input port" port))
    (stream-let loop ()
      (let ((char (read-char port)))
        (if (eof-object? char)
            stream-null
            (stream-cons char (loop)))))))

;;> (stream->list [n] stream)
;;> Return the list of the first N elements, or of all.
(define (stream->list first . rest)
  (let ((n (if (pair? rest) first -1))
        (stream (if (pair? rest) (car rest) first)))
    (if (pair? rest) (check-count 'stream->list n))
    (check-stream 'stream->list stream)
    (let loop ((n n) (stream stream) (out '()))
      (if (or (= n 0) (stream-null? stream))
          (reverse out)
          (loop (- n 1)
                (stream-cdr stream)
                (cons (stream-car stream) out))))))

;; -- making streams -----------------------------------------------------------

;;> (stream-constant object ...)
;;> Return the stream that repeats the objects without end.
;;> (stream->list 3 (stream-constant 'a 'b)) => (a b a)
(define (stream-constant . objects)
  (if (null? objects)
      stream-null
      (stream-let loop ((rest objects))
        (if (pair? rest)
            (stream-cons (car rest) (loop (cdr rest)))
            (loop objects)))))

;;> (stream-from first [step])
;;> Return the numbers from FIRST on by STEP (1), without end.
(define (stream-from first . rest)
  (let ((step (if (pair? rest) (car rest) 1)))
    (if (not (and (number? first) (number? step)))
        (error "stream-from: not a number" first step))
    (stream-let loop ((n first))
      (stream-cons n (loop (+ n step))))))

;;> (stream-range first past [step])
;;> Return the numbers from FIRST to before PAST by STEP (1 or -1).
;;> (stream->list (stream-range 3 0)) => (3 2 1)
(define (stream-range first past . rest)
  (let* ((step (cond ((pair? rest) (car rest))
                     ((< first past) 1)
                     (else -1)))
         (before? (if (< 0 step) < >)))
    (stream-let loop ((n first))
      (if (before? n past)
          (stream-cons n (loop (+ n step)))
          stream-null))))

;;> (stream-iterate f base)
;;> Return BASE, (f base), (f (f base)) and so on.
(define (stream-iterate f base)
  (check-procedure 'stream-iterate f)
  (stream-let loop ((base base))
    (stream-cons base (loop (f base)))))

;;> (stream-unfold mapper more? successor base)
;;> Return (mapper base) of each base as long as (more? base).
;;> (stream->list (stream-unfold - (lambda (x) (< x 3)) (lambda (x) (+ x 1))
;;> 0)) => (0 -1 -2)
(define (stream-unfold mapper more? successor base)
  (check-procedure 'stream-unfold mapper)
  (check-procedure 'stream-unfold more?)
  (check-procedure 'stream-unfold successor)
  (stream-let loop ((base base))
    (if (more? base)
        (stream-cons (mapper base) (loop (successor base)))
        stream-null)))

;; The stream of lists (seed answer ...) of the generator's answers.
(define (answers generator seed)
  (stream-let loop ((seed seed))
    (call-with-values (lambda () (generator seed))
      (lambda all (stream-cons all (loop (car all)))))))

;; The stream of what the k-th answers say.
(define (answer-stream all k)
  (stream-let loop ((all all))
    (let ((answer (list-ref (stream-car all) k)))
      (cond ((pair? answer)
             (stream-cons (car answer) (loop (stream-cdr all))))
            (answer stream-null)
            (else (loop (stream-cdr all)))))))

;;> (stream-unfolds generator seed)
;;> GENERATOR answers the next seed and a value for each stream: a list of its
;;> next element, #f for none as yet, or () for its end. Return the streams.
(define (stream-unfolds generator seed)
  (check-procedure 'stream-unfolds generator)
  (let* ((all (answers generator seed))
         (n (- (length (stream-car all)) 1)))
    (let loop ((k n) (streams '()))
      (if (= k 0)
          (apply values streams)
          (loop (- k 1) (cons (answer-stream all k) streams))))))

;; -- streams of streams -------------------------------------------------------

;;> (stream-append stream ...)
;;> Return the elements of one stream after the other.
(define (stream-append . streams)
  (for-each (lambda (stream) (check-stream 'stream-append stream)) streams)
  (stream-let outer ((streams streams))
    (if (null? streams)
        stream-null
        (stream-let loop ((rest (car streams)))
          (cond ((stream-pair? rest)
                 (stream-cons (stream-car rest) (loop (stream-cdr rest))))
                ((null? (cdr streams)) stream-null)
                (else (outer (cdr streams))))))))

;;> (stream-concat streams)
;;> Return the elements of a stream of streams, one after the other.
(define (stream-concat streams)
  (check-stream 'stream-concat streams)
  (stream-let outer ((streams streams))
    (if (stream-null? streams)
        stream-null
        (stream-let loop ((rest (stream-car streams)))
          (if (stream-pair? rest)
              (stream-cons (stream-car rest) (loop (stream-cdr rest)))
              (outer (stream-cdr streams)))))))

(define (any-null? streams)
  (and (pair? streams)
       (or (stream-null? (car streams)) (any-null? (cdr streams)))))

;;> (stream-map f stream stream ...)
;;> Return the stream of F's answers, as long as the shortest stream.
(define (stream-map f . streams)
  (check-procedure 'stream-map f)
  (check-streams 'stream-map streams)
  (stream-let loop ((streams streams))
    (if (any-null? streams)
        stream-null
        (stream-cons (apply f (map stream-car streams))
                     (loop (map stream-cdr streams))))))

;;> (stream-zip stream stream ...)
;;> Return the stream of lists of corresponding elements.
(define (stream-zip . streams)
  (check-streams 'stream-zip streams)
  (apply stream-map list streams))

;;> (stream-for-each f stream stream ...)
;;> Call F with the elements in order.
(define (stream-for-each f . streams)
  (check-procedure 'stream-for-each f)
  (check-streams 'stream-for-each streams)
  (let loop ((streams streams))
    (if (not (any-null? streams))
        (begin
          (apply f (map stream-car streams))
          (loop (map stream-cdr streams))))))

;; -- parts, folds -------------------------------------------------------------

;;> (stream-take n stream)
;;> Return the first N elements, or all there are.
(define (stream-take n stream)
  (check-count 'stream-take n)
  (check-stream 'stream-take stream)
  (stream-let loop ((n n) (rest stream))
    (if (or (= n 0) (stream-null? rest))
        stream-null
        (stream-cons (stream-car rest) (loop (- n 1) (stream-cdr rest))))))

;;> (stream-drop n stream)
;;> Return the stream without the first N elements.
(define (stream-drop n stream)
  (check-count 'stream-drop n)
  (check-stream 'stream-drop stream)
  (stream-let loop ((n n) (rest stream))
    (if (or (= n 0) (stream-null? rest))
        rest
        (loop (- n 1) (stream-cdr rest)))))

;;> (stream-take-while satisfied? stream)
;;> Return the elements in front of the first that does not satisfy.
(define (stream-take-while satisfied? stream)
  (check-procedure 'stream-take-while satisfied?)
  (check-stream 'stream-take-while stream)
  (stream-let loop ((rest stream))
    (if (and (stream-pair? rest) (satisfied? (stream-car rest)))
        (stream-cons (stream-car rest) (loop (stream-cdr rest)))
        stream-null)))

;;> (stream-drop-while satisfied? stream)
;;> Return the stream from the first element on that does not satisfy.
(define (stream-drop-while satisfied? stream)
  (check-procedure 'stream-drop-while satisfied?)
  (check-stream 'stream-drop-while stream)
  (stream-let loop ((rest stream))
    (if (and (stream-pair? rest) (satisfied? (stream-car rest)))
        (loop (stream-cdr rest))
        rest)))

;;> (stream-filter satisfied? stream)
;;> Return the elements that satisfy.
(define (stream-filter satisfied? stream)
  (check-procedure 'stream-filter satisfied?)
  (check-stream 'stream-filter stream)
  (stream-let loop ((rest stream))
    (cond ((stream-null? rest) stream-null)
          ((satisfied? (stream-car rest))
           (stream-cons (stream-car rest) (loop (stream-cdr rest))))
          (else (loop (stream-cdr rest))))))

;;> (stream-ref stream n)
;;> Return the element with N in front of it.
(define (stream-ref stream n)
  (check-count 'stream-ref n)
  (if (= n 0)
      (stream-car stream)
      (stream-ref (stream-cdr stream) (- n 1))))

;;> (stream-length stream)
;;> Return the number of elements.
(define (stream-length stream)
  (check-stream 'stream-length stream)
  (let loop ((n 0) (rest stream))
    (if (stream-null? rest) n (loop (+ n 1) (stream-cdr rest)))))

;;> (stream-reverse stream)
;;> Return the elements in reverse order.
(define (stream-reverse stream)
  (check-stream 'stream-reverse stream)
  (stream-lazy
   (let loop ((rest stream) (out stream-null))
     (if (stream-null? rest)
         out
         (let ((element (stream-car rest)))
           (loop (stream-cdr rest) (stream-cons element out)))))))

;;> (stream-fold f base stream)
;;> Combine the elements from the left: (f accumulated element).
;;> (stream-fold - 0 (stream 1 2)) => -3
(define (stream-fold f base stream)
  (check-procedure 'stream-fold f)
  (check-stream 'stream-fold stream)
  (let loop ((base base) (rest stream))
    (if (stream-null? rest)
        base
        (loop (f base (stream-car rest)) (stream-cdr rest)))))

;;> (stream-scan f base stream)
;;> Return the stream of what stream-fold has after each element, and BASE first.
(define (stream-scan f base stream)
  (check-procedure 'stream-scan f)
  (check-stream 'stream-scan stream)
  (stream-let loop ((base base) (rest stream))
    (if (stream-null? rest)
        (stream-cons base stream-null)
        (stream-cons base
                     (loop (f base (stream-car rest)) (stream-cdr rest))))))
