;;; SRFI 117, the body. A queue is its first and its last pair; both are the
;;; empty list where there is none.

;;> (list-queue? object)
;;> Is OBJECT such a queue?
(define-record-type <list-queue>
  (queue first last)
  list-queue?
  (first first-pair set-first-pair!)
  (last last-pair set-last-pair!))

(define (final-pair list)
  (if (pair? list)
      (let loop ((pair list))
        (if (pair? (cdr pair)) (loop (cdr pair)) pair))
      '()))

(define (check-not-empty who queue)
  (if (list-queue-empty? queue)
      (error (string-append (symbol->string who) ": the queue is empty")
             queue)))

;; -- constructors -------------------------------------------------------------

;;> (make-list-queue list [last])
;;> Return a queue of LIST itself, whose last pair is LAST.
(define make-list-queue
  (case-lambda
    ((list) (queue list (final-pair list)))
    ((list last) (queue list last))))

;;> (list-queue element ...)
;;> Return a new queue of the elements.
;;> (list-queue-list (list-queue 1 2)) => (1 2)
(define (list-queue . elements) (make-list-queue (list-copy elements)))

;;> (list-queue-copy queue)
;;> Return a queue of the same elements that shares nothing with QUEUE.
(define (list-queue-copy queue)
  (make-list-queue (list-copy (first-pair queue))))

;;> (list-queue-unfold stop? mapper successor seed [queue])
;;> Add (mapper seed) of each seed until (stop? seed) to the front of QUEUE (a
;;> new one), the first one first; return it.
(define list-queue-unfold
  (case-lambda
    ((stop? mapper successor seed)
     (list-queue-unfold stop? mapper successor seed (list-queue)))
    ((stop? mapper successor seed queue)
     (let loop ((seed seed) (reversed '()))
       (if (stop? seed)
           (begin
             (for-each (lambda (element) (list-queue-add-front! queue element))
                       reversed)
             queue)
           (loop (successor seed) (cons (mapper seed) reversed)))))))

;;> (list-queue-unfold-right stop? mapper successor seed [queue])
;;> Add (mapper seed) of each seed until (stop? seed) to the back of QUEUE (a new
;;> one), the first one last; return it.
(define list-queue-unfold-right
  (case-lambda
    ((stop? mapper successor seed)
     (list-queue-unfold-right stop? mapper successor seed (list-queue)))
    ((stop? mapper successor seed queue)
     (let loop ((seed seed) (reversed '()))
       (if (stop? seed)
           (begin
             (for-each (lambda (element) (list-queue-add-back! queue element))
                       reversed)
             queue)
           (loop (successor seed) (cons (mapper seed) reversed)))))))

;; -- predicates, accessors ----------------------------------------------------

;;> (list-queue-empty? queue)
;;> Has QUEUE no elements?
(define (list-queue-empty? queue) (null? (first-pair queue)))

;;> (list-queue-front queue)
;;> Return the first element.
(define (list-queue-front queue)
  (check-not-empty 'list-queue-front queue)
  (car (first-pair queue)))

;;> (list-queue-back queue)
;;> Return the last element.
(define (list-queue-back queue)
  (check-not-empty 'list-queue-back queue)
  (car (last-pair queue)))

;;> (list-queue-list queue)
;;> Return the list of the elements, which is the queue's own.
(define (list-queue-list queue) (first-pair queue))

;;> (list-queue-first-last queue)
;;> Return the first and the last pair, or two empty lists.
(define (list-queue-first-last queue)
  (values (first-pair queue) (last-pair queue)))

;; -- mutators -----------------------------------------------------------------

;;> (list-queue-add-front! queue element)
;;> Put ELEMENT in front, in constant time.
(define (list-queue-add-front! queue element)
  (let ((pair (cons element (first-pair queue))))
    (if (list-queue-empty? queue) (set-last-pair! queue pair))
    (set-first-pair! queue pair)))

;;> (list-queue-add-back! queue element)
;;> Put ELEMENT at the back, in constant time.
(define (list-queue-add-back! queue element)
  (let ((pair (list element)))
    (if (list-queue-empty? queue)
        (set-first-pair! queue pair)
        (set-cdr! (last-pair queue) pair))
    (set-last-pair! queue pair)))

;;> (list-queue-remove-front! queue)
;;> Take the first element away and return it, in constant time.
(define (list-queue-remove-front! queue)
  (check-not-empty 'list-queue-remove-front! queue)
  (let ((pair (first-pair queue)))
    (set-first-pair! queue (cdr pair))
    (if (null? (cdr pair)) (set-last-pair! queue '()))
    (car pair)))

(define (pair-before last list)
  (if (eq? (cdr list) last) list (pair-before last (cdr list))))

;;> (list-queue-remove-back! queue)
;;> Take the last element away and return it, in linear time.
(define (list-queue-remove-back! queue)
  (check-not-empty 'list-queue-remove-back! queue)
  (let ((first (first-pair queue))
        (last (last-pair queue)))
    (if (eq? first last)
        (list-queue-set-list! queue '() '())
        (let ((before (pair-before last first)))
          (set-cdr! before '())
          (set-last-pair! queue before)))
    (car last)))

;;> (list-queue-remove-all! queue)
;;> Take all elements away and return their list.
(define (list-queue-remove-all! queue)
  (let ((list (first-pair queue)))
    (list-queue-set-list! queue '() '())
    list))

;;> (list-queue-set-list! queue list [last])
;;> Make the elements of QUEUE those of LIST, whose last pair is LAST.
(define list-queue-set-list!
  (case-lambda
    ((queue list) (list-queue-set-list! queue list (final-pair list)))
    ((queue list last)
     (set-first-pair! queue list)
     (set-last-pair! queue last))))

;; -- whole queues ---------------------------------------------------------------

;;> (list-queue-append queue ...)
;;> Return a new queue of the elements of all the queues.
(define (list-queue-append . queues) (list-queue-concatenate queues))

;;> (list-queue-concatenate queues)
;;> Return a new queue of the elements of a list of queues.
(define (list-queue-concatenate queues)
  (make-list-queue
   (list-copy (apply append (map list-queue-list queues)))))

;; Put the pairs of FROM behind those of QUEUE.
(define (join! queue from)
  (cond ((list-queue-empty? from))
        ((list-queue-empty? queue)
         (list-queue-set-list! queue (first-pair from) (last-pair from)))
        (else
         (set-cdr! (last-pair queue) (first-pair from))
         (set-last-pair! queue (last-pair from)))))

;;> (list-queue-append! queue ...)
;;> Return a queue of the elements of all the queues, whose pairs it takes: they
;;> must not be used any more. The time is linear in the number of queues.
(define (list-queue-append! . queues)
  (let ((all (list-queue)))
    (for-each (lambda (queue) (join! all queue)) queues)
    all))

;; -- mapping --------------------------------------------------------------------

;;> (list-queue-map f queue)
;;> Return a new queue of what F answers for the elements.
(define (list-queue-map f queue)
  (make-list-queue (map f (first-pair queue))))

;;> (list-queue-map! f queue)
;;> Replace each element by what F answers for it.
(define (list-queue-map! f queue)
  (let loop ((pair (first-pair queue)))
    (if (pair? pair)
        (begin
          (set-car! pair (f (car pair)))
          (loop (cdr pair))))))

;;> (list-queue-for-each f queue)
;;> Call F with each element, in order.
(define (list-queue-for-each f queue) (for-each f (first-pair queue)))
