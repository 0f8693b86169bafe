;;; SRFI 217, the body. What takes time proportional to the number of ranges is done on the
;;; ascending list of the (from . to) that a set consists of.

;;> (iset n ...), (list->iset list), (list->iset! iset list)
;;> Return the set of the Ns; of those in LIST, and in ISET. (iset->list (iset 3 1)) => (1 3)
(define (list->iset list) (made-of list))
(define (list->iset! iset list) (iset-union iset (made-of list)))

;;> (iset-unfold stop? mapper successor seed)
;;> Return the set of what MAPPER makes of the seeds until STOP? holds.
;;> (iset->list (iset-unfold (lambda (n) (> n 3)) - (lambda (n) (+ n 1)) 1)) => (-3 -2 -1)
(define (iset-unfold stop? mapper successor seed)
  (let loop ((seed seed) (list '()))
    (if (stop? seed)
        (made-of list)
        (loop (successor seed) (cons (mapper seed) list)))))

;;> (make-range-iset start end [step])
;;> Return the set of START, START + STEP, ... up to END, which is not in it.
;;> (iset->list (make-range-iset 5 0 -2)) => (1 3 5)
(define make-range-iset
  (case-lambda
    ((start end)
     (ranges->iset (if (< start end) (list (cons start (- end 1))) '())))
    ((start end step)
     (if (= step 0) (error "make-range-iset: the step is 0"))
     (let ((past? (if (> step 0) >= <=)))
       (iset-unfold (lambda (n) (past? n end)) values (lambda (n) (+ n step))
                    start)))))

;;> (iset? object), (iset-contains? iset n), (iset-empty? iset)
;;> Is OBJECT a set; is N in ISET; is it empty? (iset-contains? (iset 1) 2) => #f

;;> (iset-disjoint? a b)
;;> Have they no integer in common? (iset-disjoint? (iset 1) (iset 2)) => #t
(define (iset-disjoint? a b) (iset-empty? (iset-intersection a b)))

;;> (iset-member iset n default)
;;> Return N where it is in ISET, else DEFAULT. (iset-member (iset 1) 2 'no) => no
(define (iset-member iset n default) (if (iset-contains? iset n) n default))

(define (last-of list) (if (null? (cdr list)) (car list) (last-of (cdr list))))

;;> (iset-min iset), (iset-max iset)
;;> Return the least, or greatest integer, or #f. (iset-max (iset 1 3)) => 3
(define (iset-min iset)
  (let ((ranges (iset->ranges iset))) (and (pair? ranges) (caar ranges))))
(define (iset-max iset)
  (let ((ranges (iset->ranges iset))) (and (pair? ranges) (cdr (last-of ranges)))))

;;> (iset-adjoin iset n ...), (iset-delete iset n ...), (iset-delete-all iset list), and with !
;;> Return the set with, or without these. (iset->list (iset-delete-all (iset 1 2) '(2))) => (1)
(define (iset-delete-all iset list) (iset-difference iset (made-of list)))
(define (iset-delete-all! iset list) (iset-difference! iset (made-of list)))

;;> (iset-search iset n failure success), and with !
;;> Call (FAILURE insert ignore), where (insert object) returns the set with N and OBJECT, and
;;> (ignore object) the set as it is; or (SUCCESS n update remove), where (update new object)
;;> puts another integer in N's place and (remove object) takes N out.
(define (iset-search iset n failure success)
  (if (iset-contains? iset n)
      (success n
               (lambda (new object)
                 (values (if (= new n) iset (iset-adjoin (iset-delete iset n) new))
                         object))
               (lambda (object) (values (iset-delete iset n) object)))
      (failure (lambda (object) (values (iset-adjoin iset n) object))
               (lambda (object) (values iset object)))))
(define iset-search! iset-search)

;;> (iset-delete-min iset), (iset-delete-max iset), and with !
;;> Return the least, or greatest integer, and the set without it.
(define (without who iset n)
  (if (not n) (error (string-append (symbol->string who) ": the set is empty") iset))
  (values n (iset-delete iset n)))
(define (iset-delete-min iset) (without 'iset-delete-min iset (iset-min iset)))
(define (iset-delete-max iset) (without 'iset-delete-max iset (iset-max iset)))
(define iset-delete-min! iset-delete-min)
(define iset-delete-max! iset-delete-max)

;;> (iset-size iset)
;;> Return how many integers are in it. (iset-size (iset 1 2)) => 2

;;> (iset-find predicate iset failure)
;;> Return the least integer for which PREDICATE holds, else the value of FAILURE.
;;> (iset-find even? (iset 1 2 4) (lambda () #f)) => 2
(define (iset-find predicate iset failure)
  (let loop ((list (iset->list iset)))
    (cond ((null? list) (failure))
          ((predicate (car list)) (car list))
          (else (loop (cdr list))))))

;;> (iset-count predicate iset), (iset-any? predicate iset), (iset-every? predicate iset)
;;> For how many does PREDICATE hold; for one; for all? (iset-count even? (iset 1 2 4)) => 2
(define (iset-count predicate iset)
  (iset-fold (lambda (n count) (if (predicate n) (+ count 1) count)) 0 iset))
(define (iset-any? predicate iset)
  (let loop ((list (iset->list iset)))
    (and (pair? list) (or (and (predicate (car list)) #t) (loop (cdr list))))))
(define (iset-every? predicate iset)
  (not (iset-any? (lambda (n) (not (predicate n))) iset)))

;;> (iset-map procedure iset), (iset-for-each procedure iset), (iset-fold kons knil iset),
;;> (iset-fold-right kons knil iset)
;;> Walk through the integers from the least on, the last from the greatest.
;;> (iset-fold-right cons '() (iset 1 2)) => (1 2)
(define (iset-fold-right kons knil iset)
  (let loop ((list (reverse (iset->list iset))) (state knil))
    (if (null? list) state (loop (cdr list) (kons (car list) state)))))

;;> (iset-filter predicate iset), (iset-remove predicate iset), (iset-partition predicate iset),
;;> and with !
;;> Return the set of those for which PREDICATE holds, or does not; or both sets.
;;> (iset->list (iset-filter even? (iset 1 2))) => (2)
(define (iset-filter predicate iset)
  (made-of (iset-fold (lambda (n list) (if (predicate n) (cons n list) list)) '() iset)))
(define (iset-remove predicate iset)
  (iset-filter (lambda (n) (not (predicate n))) iset))
(define (iset-partition predicate iset)
  (let ((yes (iset-filter predicate iset)))
    (values yes (iset-difference iset yes))))
(define iset-filter! iset-filter)
(define iset-remove! iset-remove)
(define iset-partition! iset-partition)

;;> (iset-copy iset), (iset->list iset)
;;> Return a copy; the ascending list. (iset->list (iset-copy (iset 1))) => (1)

;;> (iset=? iset iset ...), (iset<=? iset iset ...), (iset>=? iset iset ...),
;;> (iset<? iset iset ...), (iset>? iset iset ...)
;;> Are they equal, or each a subset, a superset, a proper one of the next?
;;> (iset<? (iset 1) (iset 1 2)) => #t
(define (iset=? . isets) (apply iset= isets))
(define (iset<=? . isets) (apply iset<= isets))
(define (iset>=? . isets) (apply iset>= isets))
(define (proper test isets)
  (or (null? (cdr isets))
      (and (test (car isets) (cadr isets))
           (not (iset= (car isets) (cadr isets)))
           (proper test (cdr isets)))))
(define (iset<? . isets) (proper iset<= isets))
(define (iset>? . isets) (proper iset>= isets))

;;> (iset-union iset ...), (iset-intersection iset ...), (iset-difference iset ...),
;;> (iset-xor a b), and with !
;;> Set theory. (iset->list (iset-xor (iset 1 2) (iset 2 3))) => (1 3)
(define (iset-xor a b) (iset-union (iset-difference a b) (iset-difference b a)))
(define iset-xor! iset-xor)

;; The integers of ISET from LOW to HIGH, #f for no bound.
(define (between iset low high)
  (ranges->iset
   (let loop ((ranges (iset->ranges iset)))
     (if (null? ranges)
         '()
         (let ((from (if low (max low (caar ranges)) (caar ranges)))
               (to (if high (min high (cdar ranges)) (cdar ranges))))
           (if (<= from to)
               (cons (cons from to) (loop (cdr ranges)))
               (loop (cdr ranges))))))))

;;> (iset-open-interval iset low high), (iset-closed-interval iset low high),
;;> (iset-open-closed-interval iset low high), (iset-closed-open-interval iset low high)
;;> Return the set of those between LOW and HIGH, with these where the interval is closed.
;;> (iset->list (iset-open-closed-interval (iset 1 2 3 4) 1 3)) => (2 3)
(define (iset-open-interval iset low high) (between iset (+ low 1) (- high 1)))
(define (iset-closed-interval iset low high) (between iset low high))
(define (iset-open-closed-interval iset low high) (between iset (+ low 1) high))
(define (iset-closed-open-interval iset low high) (between iset low (- high 1)))

;;> (isubset= iset k), (isubset< iset k), (isubset<= iset k), (isubset> iset k),
;;> (isubset>= iset k)
;;> Return the set of those that are equal to K, less, and so on.
;;> (iset->list (isubset< (iset 1 2 3) 3)) => (1 2)
(define (isubset= iset k) (between iset k k))
(define (isubset< iset k) (between iset #f (- k 1)))
(define (isubset<= iset k) (between iset #f k))
(define (isubset> iset k) (between iset (+ k 1) #f))
(define (isubset>= iset k) (between iset k #f))
