;;; SRFI 128, the body.

(define-record-type <comparator>
  (%make-comparator type-test equality ordering hash ordered? hashable?)
  comparator?
  (type-test comparator-type-test-predicate)
  (equality comparator-equality-predicate)
  (ordering comparator-ordering-predicate)
  (hash comparator-hash-function)
  (ordered? comparator-ordered?)
  (hashable? comparator-hashable?))

(define (no-ordering a b)
  (error "the comparator has no ordering predicate" a b))

(define (no-hash object)
  (error "the comparator has no hash function" object))

;;> (make-comparator type-test equality ordering hash)
;;> Return a comparator. TYPE-TEST #t takes everything; EQUALITY #t is made of
;;> ORDERING; ORDERING and HASH may be #f.
(define (make-comparator type-test equality ordering hash)
  (%make-comparator
   (if (eq? type-test #t) (lambda (object) #t) type-test)
   (if (eq? equality #t)
       (lambda (a b) (not (or (ordering a b) (ordering b a))))
       equality)
   (or ordering no-ordering)
   (or hash no-hash)
   (and ordering #t)
   (and hash #t)))

;; -- hash functions -----------------------------------------------------------

(define-syntax hash-bound
  (syntax-rules () ((_) 33554432)))

(define-syntax hash-salt
  (syntax-rules () ((_) 16064047)))

(define (bounded hash rest)
  (if (pair? rest) (modulo hash (car rest)) hash))

;;> (string-hash string [bound]) and the like
;;> Return a hash of the object, an exact nonnegative integer (below BOUND).
(define (string-hash string . rest)
  (if (not (string? string)) (error "string-hash: not a string" string))
  (bounded (%table-hash 'equal string) rest))

(define (string-ci-hash string . rest)
  (bounded (%table-hash 'equal (string-foldcase string)) rest))

(define (symbol-hash symbol . rest)
  (bounded (%table-hash 'eqv symbol) rest))

(define (char-hash char . rest)
  (bounded (%table-hash 'eqv char) rest))

(define (char-ci-hash char . rest)
  (bounded (%table-hash 'eqv (char-foldcase char)) rest))

(define (boolean-hash boolean . rest)
  (bounded (%table-hash 'eqv boolean) rest))

;; Numbers that are = have the same hash.
(define (number-hash number . rest)
  (bounded
   (%table-hash 'eqv
                (if (and (inexact? number)
                         (or (not (real? number)) (finite? number))
                         (finite? (real-part number))
                         (finite? (imag-part number)))
                    (exact number)
                    number))
   rest))

;; -- compound comparators ---------------------------------------------------

(define (combine a b) (modulo (+ (* 31 a) b) 33554432))

;;> (make-pair-comparator car-comparator cdr-comparator)
;;> Return a comparator of pairs: by the cars, then by the cdrs.
(define (make-pair-comparator first rest)
  (make-comparator
   (lambda (x)
     (and (pair? x)
          (comparator-test-type first (car x))
          (comparator-test-type rest (cdr x))))
   (lambda (a b)
     (and (=? first (car a) (car b)) (=? rest (cdr a) (cdr b))))
   (lambda (a b)
     (if (=? first (car a) (car b))
         (<? rest (cdr a) (cdr b))
         (<? first (car a) (car b))))
   (lambda (x)
     (combine (comparator-hash first (car x))
              (comparator-hash rest (cdr x))))))

(define (list-equality element empty? head tail)
  (lambda (a b)
    (let loop ((a a) (b b))
      (cond ((empty? a) (empty? b))
            ((empty? b) #f)
            ((=? element (head a) (head b)) (loop (tail a) (tail b)))
            (else #f)))))

(define (list-ordering element empty? head tail)
  (lambda (a b)
    (let loop ((a a) (b b))
      (cond ((empty? a) (not (empty? b)))
            ((empty? b) #f)
            ((=? element (head a) (head b)) (loop (tail a) (tail b)))
            (else (<? element (head a) (head b)))))))

;;> (make-list-comparator element-comparator [type-test empty? head tail])
;;> Return a comparator of lists (or what the four procedures make one),
;;> element by element; a prefix is less.
(define (make-list-comparator element . rest)
  (let ((type-test (if (pair? rest) (car rest) list?))
        (empty? (if (pair? rest) (cadr rest) null?))
        (head (if (pair? rest) (list-ref rest 2) car))
        (tail (if (pair? rest) (list-ref rest 3) cdr)))
    (make-comparator
     (lambda (x)
       (and (type-test x)
            (let loop ((x x))
              (or (empty? x)
                  (and (comparator-test-type element (head x))
                       (loop (tail x)))))))
     (list-equality element empty? head tail)
     (list-ordering element empty? head tail)
     (lambda (x)
       (let loop ((x x) (hash 5381))
         (if (empty? x)
             hash
             (loop (tail x)
                   (combine hash (comparator-hash element (head x))))))))))

(define (vector-equality element length-of ref)
  (lambda (a b)
    (let ((n (length-of a)))
      (and (= n (length-of b))
           (let loop ((i 0))
             (or (= i n)
                 (and (=? element (ref a i) (ref b i)) (loop (+ i 1)))))))))

(define (vector-ordering element length-of ref)
  (lambda (a b)
    (let ((m (length-of a))
          (n (length-of b)))
      (if (= m n)
          (let loop ((i 0))
            (cond ((= i n) #f)
                  ((=? element (ref a i) (ref b i)) (loop (+ i 1)))
                  (else (<? element (ref a i) (ref b i)))))
          (< m n)))))

;;> (make-vector-comparator element-comparator [type-test length ref])
;;> Return a comparator of vectors (or what the three procedures make one); a
;;> shorter one is less.
(define (make-vector-comparator element . rest)
  (let ((type-test (if (pair? rest) (car rest) vector?))
        (length-of (if (pair? rest) (cadr rest) vector-length))
        (ref (if (pair? rest) (list-ref rest 2) vector-ref)))
    (make-comparator
     (lambda (x)
       (and (type-test x)
            (let ((n (length-of x)))
              (let loop ((i 0))
                (or (= i n)
                    (and (comparator-test-type element (ref x i))
                         (loop (+ i 1))))))))
     (vector-equality element length-of ref)
     (vector-ordering element length-of ref)
     (lambda (x)
       (let ((n (length-of x)))
         (let loop ((i 0) (hash n))
           (if (= i n)
               hash
               (loop (+ i 1)
                     (combine hash (comparator-hash element (ref x i)))))))))))

;;> (make-eq-comparator), (make-eqv-comparator), (make-equal-comparator)
;;> Return a comparator without ordering whose equality is that predicate.
(define (make-eq-comparator)
  (make-comparator #t eq? #f (lambda (x . rest) (%table-hash 'eq x))))
(define (make-eqv-comparator)
  (make-comparator #t eqv? #f (lambda (x . rest) (%table-hash 'eqv x))))
(define (make-equal-comparator)
  (make-comparator #t equal? #f (lambda (x . rest) (%table-hash 'equal x))))

;; -- the default comparator -------------------------------------------------

(define registered '())

;;> (comparator-register-default! comparator)
;;> Let the default comparator use COMPARATOR for the objects of its type.
(define (comparator-register-default! comparator)
  (set! registered (cons comparator registered)))

(define (registered-for object)
  (let loop ((rest registered))
    (cond ((null? rest) #f)
          ((comparator-test-type (car rest) object) (car rest))
          (else (loop (cdr rest))))))

;; The place of an object's type in the default order; 99 for unknown ones.
(define (type-number x)
  (cond ((null? x) 0) ((pair? x) 1) ((boolean? x) 2) ((char? x) 3)
        ((string? x) 4) ((symbol? x) 5) ((number? x) 6) ((vector? x) 7)
        ((bytevector? x) 8) (else 99)))

(define (complex<? a b)
  (cond ((and (real? a) (real? b)) (< a b))
        ((= (real-part a) (real-part b)) (< (imag-part a) (imag-part b)))
        (else (< (real-part a) (real-part b)))))

;; Objects of registered types: by type, in the order of registration.
(define (registered-less? a b)
  (let ((c (registered-for a))
        (d (registered-for b)))
    (cond ((not (and c d))
           (error "no default ordering of these objects" a b))
          ((eq? c d) ((comparator-ordering-predicate c) a b))
          (else (pair? (memq c (cdr (memq d registered))))))))

(define (default-less? a b)
  (let ((m (type-number a))
        (n (type-number b)))
    (cond ((not (= m n)) (< m n))
          ((= m 0) #f)
          ((= m 1) ((comparator-ordering-predicate default-pairs) a b))
          ((= m 2) (and (not a) b))
          ((= m 3) (char<? a b))
          ((= m 4) (string<? a b))
          ((= m 5) (string<? (symbol->string a) (symbol->string b)))
          ((= m 6) (complex<? a b))
          ((= m 7) ((comparator-ordering-predicate default-vectors) a b))
          ((= m 8) ((comparator-ordering-predicate default-bytes) a b))
          (else (registered-less? a b)))))

(define (default-equal? a b)
  (let ((m (type-number a)))
    (cond ((not (= m (type-number b))) #f)
          ((= m 6) (= a b))
          ((= m 1) ((comparator-equality-predicate default-pairs) a b))
          ((= m 7) ((comparator-equality-predicate default-vectors) a b))
          ((and (= m 99) (registered-for a))
           => (lambda (c)
                (and (comparator-test-type c b)
                     ((comparator-equality-predicate c) a b))))
          (else (equal? a b)))))

;;> (default-hash object)
;;> Return the hash of OBJECT under the default comparator.
(define (default-hash x . rest)
  (let ((m (type-number x)))
    (cond ((= m 6) (number-hash x))
          ((= m 1) (comparator-hash default-pairs x))
          ((= m 7) (comparator-hash default-vectors x))
          ((and (= m 99) (registered-for x))
           => (lambda (c) (comparator-hash c x)))
          (else (%table-hash 'equal x)))))

(define default
  (make-comparator #t default-equal? default-less? default-hash))
(define default-pairs (make-pair-comparator default default))
(define default-vectors (make-vector-comparator default))
(define default-bytes
  (make-vector-comparator default bytevector? bytevector-length
                          bytevector-u8-ref))

;;> (make-default-comparator)
;;> Return the comparator of all ordinary Scheme objects.
(define (make-default-comparator) default)

;; -- use --------------------------------------------------------------------

;;> (comparator-test-type comparator object)
;;> Does COMPARATOR take OBJECT?
(define (comparator-test-type comparator object)
  ((comparator-type-test-predicate comparator) object))

;;> (comparator-check-type comparator object)
;;> An error unless COMPARATOR takes OBJECT.
(define (comparator-check-type comparator object)
  (if (comparator-test-type comparator object)
      #t
      (error "the comparator does not take this object" comparator object)))

;;> (comparator-hash comparator object)
;;> Return the hash of OBJECT.
(define (comparator-hash comparator object)
  ((comparator-hash-function comparator) object))

(define (in-order? related? a b more)
  (and (related? a b)
       (or (null? more)
           (in-order? related? b (car more) (cdr more)))))

;;> (=? comparator a b c ...), also <? >? <=? >=?
;;> Are the objects in this relation, each with the next?
(define (=? comparator a b . more)
  (in-order? (comparator-equality-predicate comparator) a b more))
(define (<? comparator a b . more)
  (in-order? (comparator-ordering-predicate comparator) a b more))
(define (>? comparator a b . more)
  (let ((less? (comparator-ordering-predicate comparator)))
    (in-order? (lambda (a b) (less? b a)) a b more)))
(define (<=? comparator a b . more)
  (let ((less? (comparator-ordering-predicate comparator)))
    (in-order? (lambda (a b) (not (less? b a))) a b more)))
(define (>=? comparator a b . more)
  (let ((less? (comparator-ordering-predicate comparator)))
    (in-order? (lambda (a b) (not (less? a b))) a b more)))

;;> (comparator-if<=> [comparator] a b less equal greater)
;;> Evaluate one of three expressions by the order of A and B.
(define-syntax comparator-if<=>
  (syntax-rules ()
    ((_ a b less equal greater)
     (comparator-if<=> (make-default-comparator) a b less equal greater))
    ((_ comparator a b less equal greater)
     (let ((c comparator) (x a) (y b))
       (cond ((=? c x y) equal)
             ((<? c x y) less)
             (else greater))))))
