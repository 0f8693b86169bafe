;;; (srfi 231 base), the body.

(define (fail who text . objects)
  (apply error (string-append (symbol->string who) ": " text) objects))
(define (check who test text object)
  (if (not (test object)) (fail who text object)))

(define (vector-every test . vectors)
  (let ((n (apply min (map vector-length vectors))))
    (let loop ((i 0))
      (or (= i n)
          (and (apply test (map (lambda (v) (vector-ref v i)) vectors))
               (loop (+ i 1)))))))

(define (->vector object) (if (list? object) (list->vector object) object))

;; -- vectors of indexes ------------------------------------------------------------

;;> (vector-iota n)
;;> Return the vector of the integers below N. (vector-iota 3) => #(0 1 2)
(define (vector-iota n)
  (let ((v (make-vector n)))
    (do ((i 0 (+ i 1))) ((= i n) v) (vector-set! v i i))))

;;> (translation? object)
;;> Is OBJECT a vector of exact integers? (translation? #(1 -2)) => #t
(define (translation? object)
  (and (vector? object) (vector-every exact-integer? object)))

;;> (permutation? object)
;;> Is OBJECT a vector of the integers below its length, in any order?
;;> (permutation? #(1 0 2)) => #t
(define (permutation? object)
  (and (translation? object)
       (let* ((n (vector-length object)) (seen (make-vector n #f)))
         (vector-every (lambda (i)
                         (and (< -1 i n)
                              (not (vector-ref seen i))
                              (begin (vector-set! seen i #t) #t)))
                       object))))

;;> (index-rotate n k), (index-first n k), (index-last n k), (index-swap n i j)
;;> Return the permutation of N places that rotates K to the left; that moves K to the front
;;> or to the end; that swaps I and J. (index-rotate 5 3) => #(3 4 0 1 2)
(define (index-rotate n k)
  (let ((v (vector-iota n)))
    (vector-append (vector-copy v k) (vector-copy v 0 k))))
(define (index-first n k)
  (let ((v (vector-iota n)))
    (vector-append (vector k) (vector-copy v 0 k) (vector-copy v (+ k 1)))))
(define (index-last n k)
  (let ((v (vector-iota n)))
    (vector-append (vector-copy v 0 k) (vector-copy v (+ k 1)) (vector k))))
(define (index-swap n i j)
  (let ((v (vector-iota n)))
    (vector-set! v i j)
    (vector-set! v j i)
    v))

(define (permuted permutation vector)
  (vector-map (lambda (i) (vector-ref vector i)) permutation))

;; -- intervals -----------------------------------------------------------------------

(define-record-type interval
  (%make-interval lowers uppers)
  interval?
  (lowers interval-lb)
  (uppers interval-ub))

;;> (make-interval upper-bounds), (make-interval lower-bounds upper-bounds)
;;> Return the interval of the multi-indexes from the lower bounds, at first 0, to below the
;;> upper ones. (interval-volume (make-interval #(2 3))) => 6
;;> (interval? object), (interval-lb interval), (interval-ub interval)
;;> Is OBJECT an interval? The vectors of its bounds, not to be changed.
(define (make-interval first . rest)
  (let* ((uppers (if (pair? rest) (car rest) first))
         (lowers (if (pair? rest) first (make-vector (vector-length uppers) 0))))
    (check 'make-interval translation? "not a vector of exact integers" lowers)
    (check 'make-interval translation? "not a vector of exact integers" uppers)
    (if (not (and (= (vector-length lowers) (vector-length uppers))
                  (vector-every <= lowers uppers)))
        (fail 'make-interval "the bounds do not go together" lowers uppers))
    (%make-interval (vector-copy lowers) (vector-copy uppers))))

(define (check-interval who interval)
  (check who interval? "not an interval" interval))

;;> (interval-dimension interval), (interval-lower-bound interval i),
;;> (interval-upper-bound interval i), (interval-width interval i), (interval-widths interval)
;;> How many indexes there are, and the bounds of index I.
;;> (interval-width (make-interval #(1) #(4)) 0) => 3
(define (interval-dimension interval)
  (check-interval 'interval-dimension interval)
  (vector-length (interval-lb interval)))
(define (interval-lower-bound interval i) (vector-ref (interval-lb interval) i))
(define (interval-upper-bound interval i) (vector-ref (interval-ub interval) i))
(define (interval-width interval i)
  (- (interval-upper-bound interval i) (interval-lower-bound interval i)))
(define (interval-widths interval)
  (vector-map - (interval-ub interval) (interval-lb interval)))

;;> (interval-lower-bounds->list interval), (interval-upper-bounds->list interval),
;;> (interval-lower-bounds->vector interval), (interval-upper-bounds->vector interval)
;;> Return all bounds. (interval-upper-bounds->list (make-interval #(2 3))) => (2 3)
(define (interval-lower-bounds->list interval) (vector->list (interval-lb interval)))
(define (interval-upper-bounds->list interval) (vector->list (interval-ub interval)))
(define (interval-lower-bounds->vector interval) (vector-copy (interval-lb interval)))
(define (interval-upper-bounds->vector interval) (vector-copy (interval-ub interval)))

;;> (interval= a b)
;;> Have they the same bounds? (interval= (make-interval #(1)) (make-interval #(1))) => #t
(define (interval= a b)
  (check-interval 'interval= a)
  (check-interval 'interval= b)
  (and (equal? (interval-lb a) (interval-lb b))
       (equal? (interval-ub a) (interval-ub b))))

;;> (interval-volume interval), (interval-empty? interval)
;;> How many multi-indexes are in it; is there none?
;;> (interval-empty? (make-interval #(2 0))) => #t
(define (interval-volume interval)
  (check-interval 'interval-volume interval)
  (apply * (vector->list (interval-widths interval))))
(define (interval-empty? interval) (= 0 (interval-volume interval)))

;;> (interval-subset? a b)
;;> Is A inside B? (interval-subset? (make-interval #(1)) (make-interval #(2))) => #t
(define (interval-subset? a b)
  (and (vector-every >= (interval-lb a) (interval-lb b))
       (vector-every <= (interval-ub a) (interval-ub b))))

;;> (interval-contains-multi-index? interval i ...)
;;> Is this multi-index in it? (interval-contains-multi-index? (make-interval #(2)) 1) => #t
(define (interval-contains-multi-index? interval . index)
  (inside? (interval-lb interval) (interval-ub interval) index))

(define (inside? lowers uppers index)
  (let ((n (vector-length lowers)))
    (let loop ((i 0) (rest index))
      (cond ((= i n) (null? rest))
            ((null? rest) #f)
            (else
             (and (exact-integer? (car rest))
                  (<= (vector-ref lowers i) (car rest))
                  (< (car rest) (vector-ref uppers i))
                  (loop (+ i 1) (cdr rest))))))))

;;> (interval-projections interval right-dimension)
;;> Return two intervals: of the left indexes, and of the last RIGHT-DIMENSION ones.
(define (interval-projections interval right)
  (let ((left (- (interval-dimension interval) right)))
    (values (%make-interval (vector-copy (interval-lb interval) 0 left)
                            (vector-copy (interval-ub interval) 0 left))
            (%make-interval (vector-copy (interval-lb interval) left)
                            (vector-copy (interval-ub interval) left)))))

;;> (interval-for-each procedure interval)
;;> Call PROCEDURE with each multi-index, the last index moving fastest.
(define (interval-for-each procedure interval)
  (interval-fold-left (lambda index (apply procedure index))
                      (lambda (state value) state) #f interval)
  (if #f #f))

;; Call (VISIT multi-index-as-list state) in order.
(define (fold-indexes visit state interval)
  (let ((n (interval-dimension interval))
        (lowers (interval-lb interval)) (uppers (interval-ub interval)))
    (let walk ((d 0) (done '()) (state state))
      (if (= d n)
          (visit (reverse done) state)
          (let ((end (vector-ref uppers d)))
            (let loop ((i (vector-ref lowers d)) (state state))
              (if (>= i end)
                  state
                  (loop (+ i 1) (walk (+ d 1) (cons i done) state)))))))))

;;> (interval-fold-left f operator identity interval),
;;> (interval-fold-right f operator identity interval),
;;> (interval-fold kons knil interval)
;;> Combine the values of F at the multi-indexes, by (OPERATOR state value), or from the last
;;> one by (OPERATOR value state); KONS is called with the indexes and the state.
;;> (interval-fold-left + + 0 (make-interval #(2 2))) => 4
(define (interval-fold-left f operator identity interval)
  (fold-indexes (lambda (index state) (operator state (apply f index)))
                identity interval))
(define (interval-fold-right f operator identity interval)
  (let loop ((values (fold-indexes (lambda (index values)
                                     (cons (apply f index) values))
                                   '() interval))
             (state identity))
    (if (null? values)
        state
        (loop (cdr values) (operator (car values) state)))))
(define (interval-fold kons knil interval)
  (fold-indexes (lambda (index state) (apply kons (append index (list state))))
                knil interval))

(define (multi-indexes interval)
  (reverse (fold-indexes cons '() interval)))

;;> (interval-dilate interval lower-diffs upper-diffs)
;;> Return it with the bounds moved.
(define (interval-dilate interval lower-diffs upper-diffs)
  (make-interval (vector-map + (interval-lb interval) lower-diffs)
                 (vector-map + (interval-ub interval) upper-diffs)))

;;> (interval-intersect interval ...)
;;> Return the interval of what is in all of them, or #f.
(define (interval-intersect first . rest)
  (let ((lowers (apply vector-map max (map interval-lb (cons first rest))))
        (uppers (apply vector-map min (map interval-ub (cons first rest)))))
    (and (vector-every <= lowers uppers) (make-interval lowers uppers))))

;;> (interval-translate interval translation), (interval-permute interval permutation),
;;> (interval-scale interval scales), (interval-cartesian-product interval ...)
;;> Return the interval moved; with the indexes in another order; that of every so many-th
;;> index; of the indexes of all one after the other.
(define (interval-translate interval translation)
  (check 'interval-translate translation? "not a translation" translation)
  (interval-dilate interval translation translation))
(define (interval-permute interval permutation)
  (check 'interval-permute permutation? "not a permutation" permutation)
  (%make-interval (permuted permutation (interval-lb interval))
                  (permuted permutation (interval-ub interval))))
(define (interval-scale interval scales)
  (if (not (and (vector-every (lambda (low) (= low 0)) (interval-lb interval))
                (vector-every (lambda (s) (and (exact-integer? s) (> s 0))) scales)))
      (fail 'interval-scale "the lower bounds are not 0, or a scale is not positive"
            interval scales))
  (make-interval (vector-map (lambda (u s) (ceiling (/ u s)))
                             (interval-ub interval) scales)))
(define (interval-cartesian-product . intervals)
  (%make-interval (apply vector-append (map interval-lb intervals))
                  (apply vector-append (map interval-ub intervals))))

;; -- cursors ------------------------------------------------------------------------

(define-record-type <cursor>
  (make-cursor index interval)
  interval-cursor?
  (index cursor-index set-cursor-index!)
  (interval cursor-interval))

;;> (interval-cursor interval), (interval-cursor-get cursor), (interval-cursor-next cursor),
;;> (interval-cursor-next! cursor)
;;> Walk through the multi-indexes: the first place, the multi-index there as values, the
;;> next place or #f. (interval-cursor-get (interval-cursor (make-interval #(5)))) => 0
(define (interval-cursor interval)
  (make-cursor (interval-lower-bounds->list interval) interval))
(define (interval-cursor-get cursor) (apply values (cursor-index cursor)))
(define (interval-cursor-next! cursor)
  (let* ((interval (cursor-interval cursor))
         (next (next-index (reverse (cursor-index cursor))
                           (reverse (interval-lower-bounds->list interval))
                           (reverse (interval-upper-bounds->list interval)))))
    (and next
         (begin
           (set-cursor-index! cursor (reverse next))
           cursor))))
(define (interval-cursor-next cursor)
  (interval-cursor-next! (make-cursor (cursor-index cursor) (cursor-interval cursor))))

;; All with the last index first.
(define (next-index index lowers uppers)
  (cond ((null? index) #f)
        ((< (+ 1 (car index)) (car uppers)) (cons (+ 1 (car index)) (cdr index)))
        (else
         (let ((rest (next-index (cdr index) (cdr lowers) (cdr uppers))))
           (and rest (cons (car lowers) rest))))))

;; -- indexers: #(constant coefficient ...) -------------------------------------------

;;> (default-coeffs interval), (default-indexer interval)
;;> The coefficients, or the procedure, that number an interval's multi-indexes in order.
;;> ((default-indexer (make-interval #(2 3))) 1 1) => 4
(define (default-coeffs interval)
  (let* ((n (interval-dimension interval)) (coeffs (make-vector (+ n 1) 0)))
    (let loop ((i (- n 1)) (scale 1))
      (when (>= i 0)
        (vector-set! coeffs (+ i 1) scale)
        (vector-set! coeffs 0 (- (vector-ref coeffs 0)
                                 (* scale (interval-lower-bound interval i))))
        (loop (- i 1) (* scale (interval-width interval i)))))
    coeffs))
(define (default-indexer interval) (coeffs->indexer (default-coeffs interval) interval))

(define (apply-coeffs coeffs index)
  (let loop ((i 1) (index index) (sum (vector-ref coeffs 0)))
    (if (null? index)
        sum
        (loop (+ i 1) (cdr index) (+ sum (* (vector-ref coeffs i) (car index)))))))

;;> (coeffs->indexer coeffs domain), (indexer->coeffs indexer domain)
;;> Convert between the coefficients of an affine indexer and the procedure.
(define (coeffs->indexer coeffs domain)
  (lambda index (apply-coeffs coeffs index)))
(define (indexer->coeffs indexer domain)
  (let ((n (interval-dimension domain)) (low (interval-lower-bounds->list domain)))
    (if (interval-empty? domain)
        (make-vector (+ n 1) 0)
        (let* ((base (apply indexer low)) (coeffs (make-vector (+ n 1) 0)))
          (let loop ((i 0))
            (when (< i n)
              (if (> (interval-width domain i) 1)
                  (vector-set! coeffs (+ i 1)
                               (- (apply indexer (list-plus low i)) base)))
              (loop (+ i 1))))
          (vector-set! coeffs 0 (- base (apply-coeffs coeffs low)))
          coeffs))))

(define (list-plus list i)
  (if (= i 0)
      (cons (+ 1 (car list)) (cdr list))
      (cons (car list) (list-plus (cdr list) (- i 1)))))

;;> (invert-default-index domain n)
;;> Return the multi-index number N of an interval, as values.
;;> (invert-default-index (make-interval #(5)) 3) => 3
(define (invert-default-index domain n)
  (let loop ((i (- (interval-dimension domain) 1)) (n n) (index '()))
    (if (< i 0)
        (apply values index)
        (let ((width (interval-width domain i)))
          (loop (- i 1) (quotient n width)
                (cons (+ (interval-lower-bound domain i) (remainder n width))
                      index))))))

;; -- storage ---------------------------------------------------------------------------

(define-record-type storage-class
  (%make-storage-class getter setter checker maker copier length default data?
                       data->body)
  storage-class?
  (getter storage-class-getter)
  (setter storage-class-setter)
  (checker storage-class-checker)
  (maker storage-class-maker)
  (copier storage-class-copier)
  (length storage-class-length)
  (default storage-class-default)
  (data? storage-class-data?)
  (data->body storage-class-data->body))

;;> (make-storage-class getter setter checker maker copier length default [data? data->body])
;;> Return a storage class: (GETTER body i), (SETTER body i object), (CHECKER object), (MAKER n
;;> fill), (COPIER to at from start end) or #f, (LENGTH body), the DEFAULT element; what can
;;> be data, and the body it makes.
;;> (storage-class? object), (storage-class-getter class), (storage-class-setter class),
;;> (storage-class-checker class), (storage-class-maker class), (storage-class-copier class),
;;> (storage-class-length class), (storage-class-default class), (storage-class-data? class),
;;> (storage-class-data->body class)
;;> Is OBJECT a storage class? Its parts. (storage-class-default generic-storage-class) => #f
(define (make-storage-class getter setter checker maker copier length default . data)
  (%make-storage-class getter setter checker maker copier length default
                       (if (pair? data) (car data) (lambda (object) #t))
                       (if (and (pair? data) (pair? (cdr data)))
                           (cadr data)
                           (lambda (object) object))))

;;> generic-storage-class
;;> That of any objects, in vectors.
(define generic-storage-class
  (make-storage-class vector-ref vector-set! (lambda (object) #t) make-vector
                      vector-copy! vector-length #f vector?
                      (lambda (object) object)))

;; -- arrays -------------------------------------------------------------------------------

(define-record-type array
  (%make-array domain getter setter storage-class body coeffs safe?)
  array?
  (domain %array-domain)
  (getter %array-getter)
  (setter %array-setter %array-setter-set!)
  (storage-class %array-storage-class)
  (body %array-body)
  (coeffs %array-coeffs)
  (safe? %array-safe?))

(define (check-array who array) (check who array? "not an array" array))

;;> (make-array interval getter [setter])
;;> Return the array with the elements that GETTER has for the multi-indexes.
;;> (array-ref (make-array (make-interval #(2 2)) list) 1 0) => (1 0)
(define (make-array interval getter . setter)
  (check-interval 'make-array interval)
  (check 'make-array procedure? "not a procedure" getter)
  (%make-array interval getter (if (pair? setter) (car setter) #f) #f #f #f #f))

;;> (array? object), (mutable-array? object), (specialized-array? object)
;;> Is OBJECT an array; one with a setter; one with storage? (array? 1) => #f
(define (mutable-array? object)
  (and (array? object) (%array-setter object) #t))
(define (specialized-array? object)
  (and (array? object) (%array-body object) #t))

;;> (array-domain array), (array-getter array), (array-setter array), (array-dimension array),
;;> (array-empty? array)
;;> Return the interval of its multi-indexes, the procedures that read and write, and how
;;> many indexes there are; has it no elements?
(define (array-domain array)
  (check-array 'array-domain array)
  (%array-domain array))
(define (array-getter array)
  (check-array 'array-getter array)
  (%array-getter array))
(define (array-setter array)
  (check 'array-setter mutable-array? "not a mutable array" array)
  (%array-setter array))
(define (array-dimension array) (interval-dimension (array-domain array)))
(define (array-empty? array) (interval-empty? (array-domain array)))

(define default-safe? #f)
(define default-mutable? #t)

;;> (specialized-array-default-safe? [boolean]), (specialized-array-default-mutable? [boolean])
;;> Return, or set, whether new arrays say that they check indexes, and can be changed.
(define (specialized-array-default-safe? . new)
  (if (pair? new) (set! default-safe? (car new)) default-safe?))
(define (specialized-array-default-mutable? . new)
  (if (pair? new) (set! default-mutable? (car new)) default-mutable?))

;;> (specialized-getter class body coeffs domain),
;;> (specialized-setter class body coeffs domain)
;;> The procedures of an array with this storage. Indexes are always checked.
(define (specialized-getter class body coeffs domain)
  (let ((get (storage-class-getter class))
        (lowers (interval-lb domain)) (uppers (interval-ub domain)))
    (lambda index
      (if (not (inside? lowers uppers index))
          (fail 'array-getter "not in the domain" index))
      (get body (apply-coeffs coeffs index)))))
(define (specialized-setter class body coeffs domain)
  (let ((set (storage-class-setter class)) (ok? (storage-class-checker class))
        (lowers (interval-lb domain)) (uppers (interval-ub domain)))
    (lambda (object . index)
      (if (not (inside? lowers uppers index))
          (fail 'array-setter "not in the domain" index))
      (if (not (ok? object))
          (fail 'array-setter "the storage cannot hold this" object))
      (set body (apply-coeffs coeffs index) object))))

;;> (%make-specialized domain class body coeffs safe? mutable?)
;;> Return the array with this storage.
(define (%make-specialized domain class body coeffs safe? mutable?)
  (%make-array domain (specialized-getter class body coeffs domain)
               (and mutable? (specialized-setter class body coeffs domain))
               class body coeffs safe?))

(define (argument rest i default)
  (cond ((null? rest) default)
        ((= i 0) (car rest))
        (else (argument (cdr rest) (- i 1) default))))

;;> (make-specialized-array interval [class [initial-value [safe?]]])
;;> Return a new array with storage of CLASS, at first of any objects.
;;> (array-ref (make-specialized-array (make-interval #(2)) generic-storage-class 7) 1) => 7
(define (make-specialized-array interval . rest)
  (check-interval 'make-specialized-array interval)
  (let ((class (argument rest 0 generic-storage-class)))
    (%make-specialized interval class
                       ((storage-class-maker class) (interval-volume interval)
                        (argument rest 1 (storage-class-default class)))
                       (default-coeffs interval)
                       (argument rest 2 default-safe?) #t)))

;;> (make-specialized-array-from-data data [class [mutable? [safe?]]])
;;> Return the array of one index over DATA, a body's data.
;;> (array-ref (make-specialized-array-from-data (vector 1 2)) 1) => 2
(define (make-specialized-array-from-data data . rest)
  (let ((class (argument rest 0 generic-storage-class)))
    (if (not ((storage-class-data? class) data))
        (fail 'make-specialized-array-from-data "not data of the storage class" data))
    (let* ((body ((storage-class-data->body class) data))
           (domain (make-interval (vector ((storage-class-length class) body)))))
      (%make-specialized domain class body (default-coeffs domain)
                         (argument rest 2 default-safe?)
                         (argument rest 1 default-mutable?)))))

(define (check-specialized who array)
  (check who specialized-array? "not an array with storage" array))

;;> (array-storage-class array), (array-body array), (array-indexer array),
;;> (array-coeffs array), (array-safe? array)
;;> The parts of an array with storage.
(define (array-storage-class array)
  (check-specialized 'array-storage-class array)
  (%array-storage-class array))
(define (array-body array)
  (check-specialized 'array-body array)
  (%array-body array))
(define (array-coeffs array)
  (check-specialized 'array-coeffs array)
  (%array-coeffs array))
(define (array-indexer array)
  (coeffs->indexer (array-coeffs array) (array-domain array)))
(define (array-safe? array)
  (check-specialized 'array-safe? array)
  (%array-safe? array))

;;> (array-packed? array), (array-adjacent? array)
;;> Do its elements stand in the body in their order, one behind the other?
;;> (array-packed? (make-specialized-array (make-interval #(2 2)))) => #t
(define (array-packed? array)
  (check-specialized 'array-packed? array)
  (let* ((domain (%array-domain array)) (coeffs (%array-coeffs array)))
    (or (interval-empty? domain)
        (let loop ((i (- (interval-dimension domain) 1)) (scale 1))
          (or (< i 0)
              (let ((width (interval-width domain i)))
                (and (or (= width 1) (= scale (vector-ref coeffs (+ i 1))))
                     (loop (- i 1) (* scale width)))))))))
(define (array-adjacent? array) (array-packed? array))

;;> (array-freeze! array)
;;> Let ARRAY not be changed any more; return it.
(define (array-freeze! array)
  (check-array 'array-freeze! array)
  (%array-setter-set! array #f)
  array)

;;> (array-ref array i ...), (array-set! array object i ...)
;;> Return, or replace, the element with this multi-index.
(define (array-ref array . index) (apply (array-getter array) index))
(define (array-set! array object . index) (apply (array-setter array) object index))

;;> (specialized-array-share array new-domain map)
;;> Return the array over the same storage whose elements are at the multi-indexes that the
;;> affine MAP makes, as values, of those of NEW-DOMAIN.
(define (specialized-array-share array new-domain map)
  (check-specialized 'specialized-array-share array)
  (let* ((old (%array-coeffs array)) (domain (%array-domain array))
         (indexer (lambda index
                    (call-with-values (lambda () (apply map index))
                      (lambda old-index
                        (if (not (apply interval-contains-multi-index? domain old-index))
                            (fail 'specialized-array-share
                                  "the map leads out of the domain" old-index))
                        (apply-coeffs old old-index))))))
    (check-corners new-domain indexer)
    (%make-specialized new-domain (%array-storage-class array) (%array-body array)
                       (indexer->coeffs indexer new-domain)
                       (%array-safe? array) (mutable-array? array))))

;; An affine map that leads nowhere out at the corners does so nowhere.
(define (check-corners domain indexer)
  (if (not (interval-empty? domain))
      (let walk ((i (- (interval-dimension domain) 1)) (index '()))
        (if (< i 0)
            (apply indexer index)
            (begin
              (walk (- i 1) (cons (interval-lower-bound domain i) index))
              (if (> (interval-width domain i) 1)
                  (walk (- i 1)
                        (cons (- (interval-upper-bound domain i) 1) index))))))))
