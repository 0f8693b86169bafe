;;; SRFI 127, the body.

;;> (generator->lseq generator)
;;> Return the lazy sequence of what GENERATOR answers.
(define (generator->lseq generator)
  (let ((element (generator)))
    (if (eof-object? element)
        '()
        (cons element generator))))

;; The sequence of what a generator, made of the expressions' variables, answers.
(define-syntax generated
  (syntax-rules ()
    ((_ . body) (generator->lseq (lambda () . body)))))

;;> (lseq? object)
;;> Is OBJECT a lazy sequence? The list, or all pairs that there are, are walked.
(define (lseq? object)
  (cond ((pair? object) (lseq? (cdr object)))
        ((null? object) #t)
        (else (procedure? object))))

;;> (lseq=? same? a b)
;;> Have the sequences the same elements, by (same? element element)?
(define (lseq=? same? a b)
  (cond ((null? a) (null? b))
        ((null? b) #f)
        ((same? (car a) (car b)) (lseq=? same? (lseq-cdr a) (lseq-cdr b)))
        (else #f)))

;; -- selectors ----------------------------------------------------------------

(define (check-pair who seq)
  (if (not (pair? seq))
      (error (string-append (symbol->string who) ": the sequence is at its end")
             seq)))

;;> (lseq-car seq)
;;> Return the first element.
(define (lseq-car seq)
  (check-pair 'lseq-car seq)
  (car seq))

;;> (lseq-first seq)
;;> The other name of lseq-car.
(define lseq-first lseq-car)

;;> (lseq-cdr seq)
;;> Return the sequence behind the first element, which is there afterwards.
(define (lseq-cdr seq)
  (check-pair 'lseq-cdr seq)
  (let ((tail (cdr seq)))
    (if (procedure? tail)
        (let ((more (generator->lseq tail)))
          (set-cdr! seq more)
          more)
        tail)))

;;> (lseq-rest seq)
;;> The other name of lseq-cdr.
(define lseq-rest lseq-cdr)

;;> (lseq-drop seq n)
;;> Return the sequence without the first N elements.
(define (lseq-drop seq n)
  (if (= n 0) seq (lseq-drop (lseq-cdr seq) (- n 1))))

;;> (lseq-ref seq n)
;;> Return the element with N in front of it.
(define (lseq-ref seq n) (lseq-car (lseq-drop seq n)))

;; The next element of the sequence in a box of one's own, or the end of file.
(define (take-next! box)
  (let ((seq (vector-ref box 0)))
    (if (null? seq)
        (eof-object)
        (let ((element (car seq)))
          (vector-set! box 0 (lazy-tail seq))
          element))))

;; A sequence like lseq-cdr's, whose next element is asked for when it is used.
(define (lazy-tail seq)
  (let ((tail (cdr seq)))
    (if (procedure? tail) (delayed seq) tail)))

(define-record-type <delayed>
  (delayed seq)
  delayed?
  (seq delayed-seq))

(define (next! box)
  (let ((seq (vector-ref box 0)))
    (if (delayed? seq)
        (vector-set! box 0 (lseq-cdr (delayed-seq seq))))
    (take-next! box)))

;;> (lseq->generator seq)
;;> Return a generator of the elements.
(define (lseq->generator seq)
  (let ((box (vector seq)))
    (lambda () (next! box))))

;;> (lseq-take seq n)
;;> Return the sequence of the first N elements; it is an error, when they are
;;> asked for, if there are fewer.
(define (lseq-take seq n)
  (let ((next (lseq->generator seq))
        (left n))
    (generated
     (if (= left 0)
         (eof-object)
         (let ((element (next)))
           (if (eof-object? element)
               (error "lseq-take: the sequence is too short" n))
           (set! left (- left 1))
           element)))))

;; -- whole sequences ----------------------------------------------------------

;;> (lseq-realize seq)
;;> Ask for all elements; return SEQ, which is a list then.
(define (lseq-realize seq)
  (let loop ((rest seq))
    (if (pair? rest)
        (loop (lseq-cdr rest))
        seq)))

;;> (lseq-length seq)
;;> Return the number of elements.
(define (lseq-length seq)
  (let loop ((rest seq) (n 0))
    (if (pair? rest) (loop (lseq-cdr rest) (+ n 1)) n)))

;;> (lseq-append seq ...)
;;> Return the sequence of the elements of one after the other.
(define (lseq-append . seqs)
  (let ((next (lambda () (eof-object))))
    (generated
     (let loop ()
       (let ((element (next)))
         (if (and (eof-object? element) (pair? seqs))
             (begin
               (set! next (lseq->generator (car seqs)))
               (set! seqs (cdr seqs))
               (loop))
             element))))))

;; The next element of each generator, or #f where one is at its end.
(define (next-elements generators)
  (let loop ((rest generators) (out '()))
    (if (null? rest)
        (reverse out)
        (let ((element ((car rest))))
          (and (not (eof-object? element))
               (loop (cdr rest) (cons element out)))))))

;;> (lseq-map f seq seq ...)
;;> Return the sequence of F's answers, as long as the shortest.
(define (lseq-map f . seqs)
  (let ((generators (map lseq->generator seqs)))
    (generated
     (let ((elements (next-elements generators)))
       (if elements (apply f elements) (eof-object))))))

;;> (lseq-zip seq seq ...)
;;> Return the sequence of lists of corresponding elements.
(define (lseq-zip . seqs) (apply lseq-map list seqs))

;; Call (f elements) for the tuples until it answers something true; that.
(define (each-until f seqs)
  (let ((generators (map lseq->generator seqs)))
    (let loop ()
      (let ((elements (next-elements generators)))
        (and elements (or (f elements) (loop)))))))

;;> (lseq-for-each f seq seq ...)
;;> Call F with the elements, in order.
(define (lseq-for-each f . seqs)
  (each-until (lambda (elements) (apply f elements) #f) seqs)
  (if #f #f))

;;> (lseq-filter satisfied? seq)
;;> Return the sequence of the elements that satisfy.
(define (lseq-filter satisfied? seq)
  (let ((next (lseq->generator seq)))
    (generated
     (let loop ()
       (let ((element (next)))
         (if (or (eof-object? element) (satisfied? element))
             element
             (loop)))))))

;;> (lseq-remove satisfied? seq)
;;> Return the sequence of the elements that do not satisfy.
(define (lseq-remove satisfied? seq)
  (lseq-filter (lambda (element) (not (satisfied? element))) seq))

;; -- searching ----------------------------------------------------------------

;;> (lseq-find-tail satisfied? seq)
;;> Return the sequence from the first element on that satisfies, or #f.
(define (lseq-find-tail satisfied? seq)
  (cond ((null? seq) #f)
        ((satisfied? (lseq-car seq)) seq)
        (else (lseq-find-tail satisfied? (lseq-cdr seq)))))

;;> (lseq-find satisfied? seq)
;;> Return the first element that satisfies, or #f.
(define (lseq-find satisfied? seq)
  (let ((tail (lseq-find-tail satisfied? seq)))
    (and tail (car tail))))

;;> (lseq-take-while satisfied? seq)
;;> Return the sequence of the elements in front of the first that does not
;;> satisfy.
(define (lseq-take-while satisfied? seq)
  (let ((next (lseq->generator seq)))
    (generated
     (let ((element (next)))
       (if (or (eof-object? element) (satisfied? element))
           element
           (eof-object))))))

;;> (lseq-drop-while satisfied? seq)
;;> Return the sequence from the first element on that does not satisfy.
(define (lseq-drop-while satisfied? seq)
  (if (and (pair? seq) (satisfied? (car seq)))
      (lseq-drop-while satisfied? (lseq-cdr seq))
      seq))

;;> (lseq-any satisfied? seq seq ...)
;;> Return the first true answer, or #f.
(define (lseq-any satisfied? . seqs)
  (each-until (lambda (elements) (apply satisfied? elements)) seqs))

;;> (lseq-every satisfied? seq seq ...)
;;> Return #f at the first false answer, else the last one.
(define (lseq-every satisfied? . seqs)
  (let ((last #t))
    (if (each-until (lambda (elements)
                      (set! last (apply satisfied? elements))
                      (not last))
                    seqs)
        #f
        last)))

;;> (lseq-index satisfied? seq seq ...)
;;> Return the index of the first elements that satisfy, or #f.
(define (lseq-index satisfied? . seqs)
  (let ((i -1))
    (each-until (lambda (elements)
                  (set! i (+ i 1))
                  (and (apply satisfied? elements) i))
                seqs)))

;;> (lseq-member object seq [same?])
;;> Return the sequence from the first element on that is OBJECT, by equal? or
;;> (same? object element), or #f.
(define (lseq-member object seq . rest)
  (let ((same? (if (pair? rest) (car rest) equal?)))
    (lseq-find-tail (lambda (element) (same? object element)) seq)))

;;> (lseq-memq object seq)
;;> The same by eq?.
(define (lseq-memq object seq) (lseq-member object seq eq?))

;;> (lseq-memv object seq)
;;> The same by eqv?.
(define (lseq-memv object seq) (lseq-member object seq eqv?))
