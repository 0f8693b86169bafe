;;; SRFI 158, the body. A generator is a procedure without arguments that answers
;;; an end-of-file object at its end.

;; -- constructors -----------------------------------------------------------

;;> (generator obj ...)
;;> Return a generator of the arguments. (generator->list (generator 1 2)) => (1 2)
(define (generator . items) (list->generator items))

;;> (circular-generator obj ...)
;;> Return a generator of the arguments, again and again.
(define (circular-generator . items)
  (let ((rest items))
    (lambda ()
      (if (null? rest) (set! rest items))
      (let ((item (car rest)))
        (set! rest (cdr rest))
        item))))

;;> (make-iota-generator count [start [step]])
;;> Return a generator of COUNT numbers from START (0) on, by STEP (1).
;;> (generator->list (make-iota-generator 3 8)) => (8 9 10)
(define make-iota-generator
  (case-lambda
    ((count) (make-iota-generator count 0 1))
    ((count start) (make-iota-generator count start 1))
    ((count start step)
     (let ((i 0))
       (lambda ()
         (if (< i count)
             (let ((value (+ start (* i step))))
               (set! i (+ i 1))
               value)
             (eof-object)))))))

;;> (make-range-generator start [end [step]])
;;> Return a generator of the numbers from START, below END if there is one.
;;> (generator->list (make-range-generator 3 8 2)) => (3 5 7)
(define make-range-generator
  (case-lambda
    ((start) (make-range-generator start #f 1))
    ((start end) (make-range-generator start end 1))
    ((start end step)
     (lambda ()
       (if (or (not end) (if (< step 0) (> start end) (< start end)))
           (let ((value start))
             (set! start (+ start step))
             value)
           (eof-object))))))

;;> (make-coroutine-generator procedure)
;;> Return a generator of the values that (procedure yield) calls YIELD with.
;;> (generator->list (make-coroutine-generator (lambda (yield) (yield 1)))) => (1)
(define (make-coroutine-generator procedure)
  (define return #f)
  (define (yield value)
    (call/cc
     (lambda (k)
       (set! resume (lambda () (k #t)))
       (return value))))
  (define resume
    (lambda ()
      (procedure yield)
      (set! resume (lambda () (return (eof-object))))
      (return (eof-object))))
  (lambda ()
    (call/cc
     (lambda (k)
       (set! return k)
       (resume)))))

;;> (list->generator list)
;;> Return a generator of LIST's elements.
(define (list->generator list)
  (lambda ()
    (if (null? list)
        (eof-object)
        (let ((item (car list)))
          (set! list (cdr list))
          item))))

;; A generator of (ref i) for i from START to END.
(define (indexed ref start end)
  (lambda ()
    (if (< start end)
        (let ((item (ref start)))
          (set! start (+ start 1))
          item)
        (eof-object))))

;;> (vector->generator vector [start [end]])
;;> Return a generator of VECTOR's elements.
(define vector->generator
  (case-lambda
    ((vector) (vector->generator vector 0 (vector-length vector)))
    ((vector start) (vector->generator vector start (vector-length vector)))
    ((vector start end)
     (indexed (lambda (i) (vector-ref vector i)) start end))))

;;> (reverse-vector->generator vector [start [end]])
;;> Return a generator of VECTOR's elements from END down to START.
(define reverse-vector->generator
  (case-lambda
    ((vector) (reverse-vector->generator vector 0 (vector-length vector)))
    ((vector start)
     (reverse-vector->generator vector start (vector-length vector)))
    ((vector start end)
     (indexed (lambda (i) (vector-ref vector (+ start (- end i 1)))) start end))))

;;> (string->generator string [start [end]])
;;> Return a generator of STRING's characters.
(define string->generator
  (case-lambda
    ((string) (string->generator string 0 (string-length string)))
    ((string start) (string->generator string start (string-length string)))
    ((string start end)
     (indexed (lambda (i) (string-ref string i)) start end))))

;;> (bytevector->generator bytevector [start [end]])
;;> Return a generator of BYTEVECTOR's bytes.
(define bytevector->generator
  (case-lambda
    ((bytes) (bytevector->generator bytes 0 (bytevector-length bytes)))
    ((bytes start)
     (bytevector->generator bytes start (bytevector-length bytes)))
    ((bytes start end)
     (indexed (lambda (i) (bytevector-u8-ref bytes i)) start end))))

;;> (make-for-each-generator for-each)
;;> Return a procedure that makes a generator of a collection, which (for-each f
;;> collection) goes through.
(define (make-for-each-generator for-each)
  (lambda (collection)
    (make-coroutine-generator (lambda (yield) (for-each yield collection)))))

;;> (make-unfold-generator stop? mapper successor seed)
;;> Return a generator of (mapper seed), until (stop? seed).
(define (make-unfold-generator stop? mapper successor seed)
  (lambda ()
    (if (stop? seed)
        (eof-object)
        (let ((item (mapper seed)))
          (set! seed (successor seed))
          item))))

;; -- generators of generators -----------------------------------------------

;;> (gcons* obj ... generator)
;;> Return a generator of the OBJs and then of GENERATOR's items.
(define (gcons* . items)
  (lambda ()
    (if (null? (cdr items))
        ((car items))
        (let ((item (car items)))
          (set! items (cdr items))
          item))))

;;> (gappend generator ...)
;;> Return a generator of the items of all generators, one after the other.
(define (gappend . generators)
  (define (next)
    (if (null? generators)
        (eof-object)
        (let ((item ((car generators))))
          (if (eof-object? item)
              (begin (set! generators (cdr generators)) (next))
              item))))
  next)

;;> (gflatten generator)
;;> Return a generator of the items of the generators that GENERATOR gives.
(define (gflatten generator)
  (let ((inner (lambda () (eof-object))))
    (define (next)
      (let ((item (inner)))
        (if (eof-object? item)
            (let ((following (generator)))
              (if (eof-object? following)
                  following
                  (begin (set! inner following) (next))))
            item)))
    next))

;;> (ggroup generator k [padding])
;;> Return a generator of lists of K items; the last one is shorter, or filled up
;;> with PADDING. (generator->list (ggroup (generator 1 2 3) 2)) => ((1 2) (3))
(define (ggroup generator k . padding)
  (lambda ()
    (let loop ((n 0) (out '()))
      (let ((item (if (< n k) (generator) (eof-object))))
        (cond ((not (eof-object? item)) (loop (+ n 1) (cons item out)))
              ((= n 0) (eof-object))
              ((and (< n k) (pair? padding))
               (append (reverse out) (make-list (- k n) (car padding))))
              (else (reverse out)))))))

;;> (gmerge less? generator ...)
;;> Return a generator of the items of sorted generators in order, stably.
(define (gmerge less? generator . more)
  (cond ((null? more) generator)
        ((null? (cdr more)) (merge-two less? generator (car more)))
        (else (merge-two less? generator (apply gmerge less? more)))))

(define (merge-two less? a b)
  (let ((x #f) (y #f) (started #f))
    (lambda ()
      (if (not started)
          (begin (set! started #t) (set! x (a)) (set! y (b))))
      (if (or (eof-object? x)
              (and (not (eof-object? y)) (less? y x)))
          (let ((item y))
            (if (not (eof-object? item)) (set! y (b)))
            item)
          (let ((item x))
            (set! x (a))
            item)))))

;; The next items of all generators as a list, or #f at the end of any.
(define (next-items generators)
  (let loop ((rest generators) (out '()))
    (if (null? rest)
        (reverse out)
        (let ((item ((car rest))))
          (if (eof-object? item) #f (loop (cdr rest) (cons item out)))))))

;;> (gmap f generator ...)
;;> Return a generator of F's values. (generator->list (gmap - (generator 1 2))) =>
;;> (-1 -2)
(define gmap
  (case-lambda
    ((f generator)
     (lambda ()
       (let ((item (generator)))
         (if (eof-object? item) item (f item)))))
    ((f . generators)
     (lambda ()
       (let ((items (next-items generators)))
         (if items (apply f items) (eof-object)))))))

;;> (gcombine f seed generator ...)
;;> Return a generator of the first values of (f item ... seed); the second value is
;;> the next seed.
(define (gcombine f seed . generators)
  (lambda ()
    (let ((items (next-items generators)))
      (if items
          (call-with-values (lambda () (apply f (append items (list seed))))
            (lambda (item next)
              (set! seed next)
              item))
          (eof-object)))))

;;> (gfilter keep? generator)
;;> Return a generator of the items that satisfy KEEP?.
(define (gfilter keep? generator)
  (define (next)
    (let ((item (generator)))
      (if (or (eof-object? item) (keep? item)) item (next))))
  next)

;;> (gremove drop? generator)
;;> Return a generator of the items that do not satisfy DROP?.
(define (gremove drop? generator)
  (gfilter (lambda (item) (not (drop? item))) generator))

;;> (gstate-filter f seed generator)
;;> Return a generator of the items for which (f item seed) gives a true first
;;> value; the second one is the next seed.
(define (gstate-filter f seed generator)
  (gfilter (lambda (item)
             (call-with-values (lambda () (f item seed))
               (lambda (keep? next)
                 (set! seed next)
                 keep?)))
           generator))

;;> (gtake generator k [padding])
;;> Return a generator of the first K items, filled up with PADDING if given.
(define (gtake generator k . padding)
  (lambda ()
    (if (> k 0)
        (let ((item (generator)))
          (set! k (- k 1))
          (if (and (eof-object? item) (pair? padding)) (car padding) item))
        (eof-object))))

;;> (gdrop generator k)
;;> Return a generator of the items behind the first K.
(define (gdrop generator k)
  (define (next)
    (if (> k 0)
        (begin
          (set! k (- k 1))
          (if (eof-object? (generator)) (set! k 0))
          (next))
        (generator)))
  next)

;;> (gtake-while keep? generator)
;;> Return a generator of the items up to the first that does not satisfy KEEP?.
(define (gtake-while keep? generator)
  (let ((done #f))
    (lambda ()
      (if done
          (eof-object)
          (let ((item (generator)))
            (if (and (not (eof-object? item)) (keep? item))
                item
                (begin (set! done #t) (eof-object))))))))

;;> (gdrop-while drop? generator)
;;> Return a generator of the items from the first that does not satisfy DROP? on.
(define (gdrop-while drop? generator)
  (let ((dropping #t))
    (define (next)
      (let ((item (generator)))
        (if (and dropping (not (eof-object? item)) (drop? item))
            (next)
            (begin (set! dropping #f) item))))
    next))

;;> (gdelete obj generator [same?])
;;> Return a generator of the items that are not SAME? (equal?) as OBJ.
(define gdelete
  (case-lambda
    ((obj generator) (gdelete obj generator equal?))
    ((obj generator same?)
     (gremove (lambda (item) (same? obj item)) generator))))

;;> (gdelete-neighbor-dups generator [same?])
;;> Return a generator of the items that differ from the one before.
(define gdelete-neighbor-dups
  (case-lambda
    ((generator) (gdelete-neighbor-dups generator equal?))
    ((generator same?)
     (let ((first? #t) (last #f))
       (gfilter (lambda (item)
                  (let ((new? (or first? (not (same? last item)))))
                    (set! first? #f)
                    (set! last item)
                    new?))
                generator)))))

;;> (gindex value-generator index-generator)
;;> Return a generator of the values at the indices, which must increase.
(define (gindex values indices)
  (let ((at 0) (done #f))
    (define (skip n)
      (let ((item (values)))
        (set! at (+ at 1))
        (cond ((eof-object? item) (set! done #t) item)
              ((= n 0) item)
              (else (skip (- n 1))))))
    (lambda ()
      (if done
          (eof-object)
          (let ((index (indices)))
            (cond ((eof-object? index) (set! done #t) index)
                  ((< index at) (error "gindex: indices must increase" index))
                  (else (skip (- index at)))))))))

;;> (gselect value-generator truth-generator)
;;> Return a generator of the values for which the other generator gives true.
(define (gselect values truths)
  (define (next)
    (let ((item (values)) (truth (truths)))
      (cond ((or (eof-object? item) (eof-object? truth)) (eof-object))
            (truth item)
            (else (next)))))
  next)

;; -- consumers --------------------------------------------------------------

;;> (generator->list generator [k])
;;> Return the list of the items, at most K. (generator->list (generator 1)) => (1)
(define (generator->list generator . k)
  (reverse (apply generator->reverse-list generator k)))

;;> (generator->reverse-list generator [k])
;;> Return the list of the items, at most K, the last one first.
(define (generator->reverse-list generator . k)
  (generator-fold cons '() (if (pair? k) (gtake generator (car k)) generator)))

;;> (generator->vector generator [k])
;;> Return the vector of the items, at most K.
(define (generator->vector generator . k)
  (list->vector (apply generator->list generator k)))

;;> (generator->vector! vector at generator)
;;> Store items into VECTOR from AT on, as many as fit; return how many.
(define (generator->vector! vector at generator)
  (let loop ((i at))
    (let ((item (if (< i (vector-length vector)) (generator) (eof-object))))
      (if (eof-object? item)
          (- i at)
          (begin
            (vector-set! vector i item)
            (loop (+ i 1)))))))

;;> (generator->string generator [k])
;;> Return the string of the characters, at most K.
(define (generator->string generator . k)
  (list->string (apply generator->list generator k)))

;;> (generator-fold kons knil generator ...)
;;> Fold (kons item ... out) over the items.
(define generator-fold
  (case-lambda
    ((kons knil generator)
     (let loop ((out knil))
       (let ((item (generator)))
         (if (eof-object? item) out (loop (kons item out))))))
    ((kons knil . generators)
     (let loop ((out knil))
       (let ((items (next-items generators)))
         (if items (loop (apply kons (append items (list out)))) out))))))

;;> (generator-map->list f generator ...)
;;> Return the list of F's values.
(define (generator-map->list f . generators)
  (generator->list (apply gmap f generators)))

;;> (generator-for-each f generator ...)
;;> Call F with the items.
(define (generator-for-each f . generators)
  (let loop ()
    (let ((items (next-items generators)))
      (if items
          (begin (apply f items) (loop))))))

;;> (generator-find f generator)
;;> Return the first item that satisfies F, or #f.
(define (generator-find f generator)
  (let loop ()
    (let ((item (generator)))
      (cond ((eof-object? item) #f) ((f item) item) (else (loop))))))

;;> (generator-count f generator)
;;> Return how many items satisfy F.
(define (generator-count f generator)
  (generator-fold (lambda (item n) (if (f item) (+ n 1) n)) 0 generator))

;;> (generator-any f generator)
;;> Return F's first true value, or #f.
(define (generator-any f generator)
  (let loop ()
    (let ((item (generator)))
      (if (eof-object? item) #f (or (f item) (loop))))))

;;> (generator-every f generator)
;;> Return F's last value if all are true, else #f.
(define (generator-every f generator)
  (let loop ((last #t))
    (let ((item (generator)))
      (if (eof-object? item)
          last
          (let ((value (f item))) (and value (loop value)))))))

;;> (generator-unfold generator unfold argument ...)
;;> Call (unfold stop? mapper successor seed argument ...) so that it makes a
;;> collection of the items.
;;> (generator-unfold (generator 1 2) (lambda (stop? f next seed)
;;>   (if (stop? seed) '() (list (f seed))))) => (1)
(define (generator-unfold generator unfold . arguments)
  (apply unfold eof-object? (lambda (item) item) (lambda (item) (generator))
         (generator) arguments))

;; -- accumulators -----------------------------------------------------------

;;> (make-accumulator kons knil finalizer)
;;> Return a procedure that folds KONS over what it is called with; at an
;;> end-of-file object it answers (finalizer state).
(define (make-accumulator kons knil finalizer)
  (lambda (item)
    (if (eof-object? item)
        (finalizer knil)
        (set! knil (kons item knil)))))

;;> (count-accumulator)
;;> Return an accumulator that counts.
(define (count-accumulator)
  (make-accumulator (lambda (item n) (+ n 1)) 0 (lambda (n) n)))

;;> (list-accumulator)
;;> Return an accumulator of a list.
(define (list-accumulator) (make-accumulator cons '() reverse))

;;> (reverse-list-accumulator)
;;> Return an accumulator of a list, the last one first.
(define (reverse-list-accumulator)
  (make-accumulator cons '() (lambda (items) items)))

;;> (vector-accumulator)
;;> Return an accumulator of a vector.
(define (vector-accumulator)
  (make-accumulator cons '() (lambda (items) (list->vector (reverse items)))))

;;> (reverse-vector-accumulator)
;;> Return an accumulator of a vector, the last one first.
(define (reverse-vector-accumulator) (make-accumulator cons '() list->vector))

;; An accumulator that stores at AT and on, and answers the target.
(define (storing who store! length target at)
  (lambda (item)
    (cond ((eof-object? item) target)
          ((< at length)
           (store! target at item)
           (set! at (+ at 1)))
          (else (error (string-append who ": no room left") item)))))

;;> (vector-accumulator! vector at)
;;> Return an accumulator that stores into VECTOR from AT on.
(define (vector-accumulator! vector at)
  (storing "vector-accumulator!" vector-set! (vector-length vector) vector at))

;;> (string-accumulator)
;;> Return an accumulator of a string.
(define (string-accumulator)
  (make-accumulator cons '() (lambda (chars) (list->string (reverse chars)))))

;;> (bytevector-accumulator)
;;> Return an accumulator of a bytevector.
(define (bytevector-accumulator)
  (make-accumulator cons '()
                    (lambda (bytes) (apply bytevector (reverse bytes)))))

;;> (bytevector-accumulator! bytevector at)
;;> Return an accumulator that stores into BYTEVECTOR from AT on.
(define (bytevector-accumulator! bytes at)
  (storing "bytevector-accumulator!" bytevector-u8-set!
           (bytevector-length bytes) bytes at))

;;> (sum-accumulator)
;;> Return an accumulator that adds.
(define (sum-accumulator) (make-accumulator + 0 (lambda (n) n)))

;;> (product-accumulator)
;;> Return an accumulator that multiplies.
(define (product-accumulator) (make-accumulator * 1 (lambda (n) n)))
