;;; (scheme rlist), the body. A list is a chain of complete binary trees of sizes
;;; 2^n - 1, which do not decrease but that the first two may be equal. A tree of
;;; one element is the element, a bigger one a vector of root, left and right.

(define-record-type rpair
  (make-rpair size tree rest)
  rpair?
  (size rpair-size)
  (tree rpair-tree)
  (rest rpair-rest))

(define (check who obj)
  (if (not (rpair? obj))
      (error (string-append (symbol->string who) ": not a random-access pair")
             obj)))

;;> (rquote datum)
;;> Return DATUM with random-access lists in place of ordinary ones.
;;> (rcar (rquote (1 2))) => 1
(define-syntax rquote
  (syntax-rules ()
    ((_ datum) (deep->rlist 'datum))))

(define (deep->rlist datum)
  (if (pair? datum)
      (rcons (deep->rlist (car datum)) (deep->rlist (cdr datum)))
      datum))

;;> (rcons first rest)
;;> Return a new pair, in constant time. (rlist->list (rcons 1 (rlist 2))) => (1 2)
(define (rcons first rest)
  (if (and (rpair? rest)
           (rpair? (rpair-rest rest))
           (= (rpair-size rest) (rpair-size (rpair-rest rest))))
      (let ((next (rpair-rest rest)))
        (make-rpair (+ 1 (* 2 (rpair-size rest)))
                    (vector first (rpair-tree rest) (rpair-tree next))
                    (rpair-rest next)))
      (make-rpair 1 first rest)))

(define (root size tree) (if (= size 1) tree (vector-ref tree 0)))
(define (left tree) (vector-ref tree 1))
(define (right tree) (vector-ref tree 2))
(define (half size) (quotient size 2))

;;> (rcar pair)
;;> Return the first element, in constant time.
(define (rcar pair)
  (check 'rcar pair)
  (root (rpair-size pair) (rpair-tree pair)))

;;> (rcdr pair)
;;> Return the list behind the first element, in constant time.
(define (rcdr pair)
  (check 'rcdr pair)
  (let ((size (rpair-size pair)) (tree (rpair-tree pair)))
    (if (= size 1)
        (rpair-rest pair)
        (make-rpair (half size) (left tree)
                    (make-rpair (half size) (right tree)
                                (rpair-rest pair))))))

;;> (rcaar obj)
;;> Return the car of the car of OBJ.
(define (rcaar obj) (rcar (rcar obj)))

;;> (rcadr obj)
;;> Return the car of the cdr of OBJ.
(define (rcadr obj) (rcar (rcdr obj)))

;;> (rcdar obj)
;;> Return the cdr of the car of OBJ.
(define (rcdar obj) (rcdr (rcar obj)))

;;> (rcddr obj)
;;> Return the cdr of the cdr of OBJ.
(define (rcddr obj) (rcdr (rcdr obj)))

;;> (rcaaar obj)
;;> Return the car of the car of the car of OBJ.
(define (rcaaar obj) (rcar (rcar (rcar obj))))

;;> (rcaadr obj)
;;> Return the car of the car of the cdr of OBJ.
(define (rcaadr obj) (rcar (rcar (rcdr obj))))

;;> (rcadar obj)
;;> Return the car of the cdr of the car of OBJ.
(define (rcadar obj) (rcar (rcdr (rcar obj))))

;;> (rcaddr obj)
;;> Return the car of the cdr of the cdr of OBJ.
(define (rcaddr obj) (rcar (rcdr (rcdr obj))))

;;> (rcdaar obj)
;;> Return the cdr of the car of the car of OBJ.
(define (rcdaar obj) (rcdr (rcar (rcar obj))))

;;> (rcdadr obj)
;;> Return the cdr of the car of the cdr of OBJ.
(define (rcdadr obj) (rcdr (rcar (rcdr obj))))

;;> (rcddar obj)
;;> Return the cdr of the cdr of the car of OBJ.
(define (rcddar obj) (rcdr (rcdr (rcar obj))))

;;> (rcdddr obj)
;;> Return the cdr of the cdr of the cdr of OBJ.
(define (rcdddr obj) (rcdr (rcdr (rcdr obj))))

;;> (rcaaaar obj)
;;> Return the car of the car of the car of the car of OBJ.
(define (rcaaaar obj) (rcar (rcar (rcar (rcar obj)))))

;;> (rcaaadr obj)
;;> Return the car of the car of the car of the cdr of OBJ.
(define (rcaaadr obj) (rcar (rcar (rcar (rcdr obj)))))

;;> (rcaadar obj)
;;> Return the car of the car of the cdr of the car of OBJ.
(define (rcaadar obj) (rcar (rcar (rcdr (rcar obj)))))

;;> (rcaaddr obj)
;;> Return the car of the car of the cdr of the cdr of OBJ.
(define (rcaaddr obj) (rcar (rcar (rcdr (rcdr obj)))))

;;> (rcadaar obj)
;;> Return the car of the cdr of the car of the car of OBJ.
(define (rcadaar obj) (rcar (rcdr (rcar (rcar obj)))))

;;> (rcadadr obj)
;;> Return the car of the cdr of the car of the cdr of OBJ.
(define (rcadadr obj) (rcar (rcdr (rcar (rcdr obj)))))

;;> (rcaddar obj)
;;> Return the car of the cdr of the cdr of the car of OBJ.
(define (rcaddar obj) (rcar (rcdr (rcdr (rcar obj)))))

;;> (rcadddr obj)
;;> Return the car of the cdr of the cdr of the cdr of OBJ.
(define (rcadddr obj) (rcar (rcdr (rcdr (rcdr obj)))))

;;> (rcdaaar obj)
;;> Return the cdr of the car of the car of the car of OBJ.
(define (rcdaaar obj) (rcdr (rcar (rcar (rcar obj)))))

;;> (rcdaadr obj)
;;> Return the cdr of the car of the car of the cdr of OBJ.
(define (rcdaadr obj) (rcdr (rcar (rcar (rcdr obj)))))

;;> (rcdadar obj)
;;> Return the cdr of the car of the cdr of the car of OBJ.
(define (rcdadar obj) (rcdr (rcar (rcdr (rcar obj)))))

;;> (rcdaddr obj)
;;> Return the cdr of the car of the cdr of the cdr of OBJ.
(define (rcdaddr obj) (rcdr (rcar (rcdr (rcdr obj)))))

;;> (rcddaar obj)
;;> Return the cdr of the cdr of the car of the car of OBJ.
(define (rcddaar obj) (rcdr (rcdr (rcar (rcar obj)))))

;;> (rcddadr obj)
;;> Return the cdr of the cdr of the car of the cdr of OBJ.
(define (rcddadr obj) (rcdr (rcdr (rcar (rcdr obj)))))

;;> (rcdddar obj)
;;> Return the cdr of the cdr of the cdr of the car of OBJ.
(define (rcdddar obj) (rcdr (rcdr (rcdr (rcar obj)))))

;;> (rcddddr obj)
;;> Return the cdr of the cdr of the cdr of the cdr of OBJ.
(define (rcddddr obj) (rcdr (rcdr (rcdr (rcdr obj)))))

;;> (rnull? obj)
;;> Is OBJ the empty list? (rnull? (rlist)) => #t
(define (rnull? obj) (null? obj))

;;> (rlist? obj)
;;> Is OBJ a random-access list? (rlist? '(1)) => #f
(define (rlist? obj)
  (or (null? obj)
      (and (rpair? obj) (rlist? (rpair-rest obj)))))

;;> (rlist obj ...)
;;> Return a random-access list of the arguments.
(define (rlist . elements) (list->rlist elements))

;;> (make-rlist n [fill])
;;> Return a list of N elements.
(define (make-rlist n . fill)
  (let ((fill (if (pair? fill) (car fill) #f)))
    (let loop ((n n) (out '()))
      (if (= n 0) out (loop (- n 1) (rcons fill out))))))

;;> (rlength list)
;;> Return the number of elements, in logarithmic time.
(define (rlength list)
  (let loop ((rest list) (n 0))
    (cond ((null? rest) n)
          ((rpair? rest) (loop (rpair-rest rest) (+ n (rpair-size rest))))
          (else (error "rlength: not a random-access list" list)))))

;;> (rlength<=? obj n)
;;> Is OBJ a chain of at most N pairs?
(define (rlength<=? obj n)
  (let loop ((rest obj) (n n))
    (cond ((< n 0) #f)
          ((rpair? rest) (loop (rpair-rest rest) (- n (rpair-size rest))))
          (else #t))))

;;> (rappend list ... obj)
;;> Return the list of all elements, with OBJ as its end.
(define (rappend . lists)
  (cond ((null? lists) '())
        ((null? (cdr lists)) (car lists))
        (else
         (fold-right rcons (apply rappend (cdr lists))
                     (rlist->list (car lists))))))

(define (fold-right kons knil list)
  (let loop ((rest (reverse list)) (out knil))
    (if (null? rest) out (loop (cdr rest) (kons (car rest) out)))))

;;> (rreverse list)
;;> Return the list in reverse.
(define (rreverse list) (list->rlist (reverse (rlist->list list))))

;;> (rlist-tail list k)
;;> Return what stands behind the first K elements, in logarithmic time.
(define (rlist-tail list k)
  (cond ((= k 0) list)
        ((not (rpair? list)) (error "rlist-tail: index out of the list" k))
        ((>= k (rpair-size list))
         (rlist-tail (rpair-rest list) (- k (rpair-size list))))
        (else
         (tree-tail (rpair-size list) (rpair-tree list) k (rpair-rest list)))))

;; The list of what a tree has behind its first K elements, then REST.
(define (tree-tail size tree k rest)
  (let ((half (half size)))
    (cond ((= k 0) (make-rpair size tree rest))
          ((<= k half)
           (tree-tail half (left tree) (- k 1)
                      (make-rpair half (right tree) rest)))
          (else (tree-tail half (right tree) (- k 1 half) rest)))))

;;> (rlist-ref list k)
;;> Return element K, in logarithmic time. (rlist-ref (rlist 'a 'b) 1) => b
(define (rlist-ref list k)
  (cond ((not (rpair? list)) (error "rlist-ref: index out of the list" k))
        ((>= k (rpair-size list))
         (rlist-ref (rpair-rest list) (- k (rpair-size list))))
        (else (tree-ref (rpair-size list) (rpair-tree list) k))))

(define (tree-ref size tree k)
  (let ((half (half size)))
    (cond ((= k 0) (root size tree))
          ((<= k half) (tree-ref half (left tree) (- k 1)))
          (else (tree-ref half (right tree) (- k 1 half))))))

;;> (rlist-set list k obj)
;;> Return the list with OBJ as element K, in logarithmic time.
(define (rlist-set list k obj)
  (call-with-values (lambda () (rlist-ref/update list k (lambda (old) obj)))
    (lambda (old new) new)))

;;> (rlist-ref/update list k f)
;;> Return element K, and the list with F's value of it there.
(define (rlist-ref/update list k f)
  (cond ((not (rpair? list))
         (error "rlist-ref/update: index out of the list" k))
        ((>= k (rpair-size list))
         (call-with-values
             (lambda ()
               (rlist-ref/update (rpair-rest list) (- k (rpair-size list)) f))
           (lambda (old rest)
             (values old (make-rpair (rpair-size list) (rpair-tree list)
                                     rest)))))
        (else
         (let* ((size (rpair-size list))
                (old (tree-ref size (rpair-tree list) k)))
           (values old
                   (make-rpair size
                               (tree-set size (rpair-tree list) k (f old))
                               (rpair-rest list)))))))

(define (tree-set size tree k obj)
  (let ((half (half size)))
    (cond ((= size 1) obj)
          ((= k 0) (vector obj (left tree) (right tree)))
          ((<= k half)
           (vector (root size tree) (tree-set half (left tree) (- k 1) obj)
                   (right tree)))
          (else
           (vector (root size tree) (left tree)
                   (tree-set half (right tree) (- k 1 half) obj))))))

;;> (rmap f list ...)
;;> Return the list of F's values.
(define (rmap f . lists)
  (list->rlist (apply map f (map rlist->list lists))))

;;> (rfor-each f list ...)
;;> Call F with the elements.
(define (rfor-each f . lists) (apply for-each f (map rlist->list lists)))

;;> (rlist->list list)
;;> Return the ordinary list of the elements. (rlist->list (rlist 1 2)) => (1 2)
(define (rlist->list list)
  (let loop ((rest list) (out '()))
    (cond ((null? rest) (reverse out))
          ((rpair? rest)
           (loop (rpair-rest rest)
                 (tree-push (rpair-size rest) (rpair-tree rest) out)))
          (else (error "rlist->list: not a random-access list" list)))))

;; The elements of a tree, in reverse, in front of OUT.
(define (tree-push size tree out)
  (if (= size 1)
      (cons tree out)
      (tree-push (half size) (right tree)
                 (tree-push (half size) (left tree)
                            (cons (root size tree) out)))))

;;> (list->rlist list)
;;> Return the random-access list of an ordinary one.
(define (list->rlist list) (fold-right rcons '() list))
