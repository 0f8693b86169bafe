;;; (srfi 231), the body: arrays of arrays.

(define (bounds-list start end) (if (< start end) (cons start (bounds-list (+ start 1) end)) '()))

;; -- storage classes ------------------------------------------------------------------

;;> s8-storage-class, s16-storage-class, s32-storage-class, s64-storage-class,
;;> u1-storage-class, u8-storage-class, u16-storage-class, u32-storage-class,
;;> u64-storage-class, f8-storage-class, f16-storage-class, f32-storage-class,
;;> f64-storage-class, c64-storage-class, c128-storage-class, char-storage-class
;;> Those of homogeneous vectors, and of strings. (storage-class-default u8-storage-class) => 0
(define (uvector-class ref set ok? make length vector? default)
  (make-storage-class ref set ok? make #f length default vector?
                      (lambda (data) data)))
(define u1-storage-class
  (uvector-class u1vector-ref u1vector-set! u1? make-u1vector u1vector-length u1vector? 0))
(define s8-storage-class
  (uvector-class s8vector-ref s8vector-set! s8? make-s8vector s8vector-length s8vector? 0))
(define u8-storage-class
  (uvector-class u8vector-ref u8vector-set! u8? make-u8vector u8vector-length u8vector? 0))
(define s16-storage-class
  (uvector-class s16vector-ref s16vector-set! s16? make-s16vector s16vector-length
                 s16vector? 0))
(define u16-storage-class
  (uvector-class u16vector-ref u16vector-set! u16? make-u16vector u16vector-length
                 u16vector? 0))
(define s32-storage-class
  (uvector-class s32vector-ref s32vector-set! s32? make-s32vector s32vector-length
                 s32vector? 0))
(define u32-storage-class
  (uvector-class u32vector-ref u32vector-set! u32? make-u32vector u32vector-length
                 u32vector? 0))
(define s64-storage-class
  (uvector-class s64vector-ref s64vector-set! s64? make-s64vector s64vector-length
                 s64vector? 0))
(define u64-storage-class
  (uvector-class u64vector-ref u64vector-set! u64? make-u64vector u64vector-length
                 u64vector? 0))
(define f8-storage-class
  (uvector-class f8vector-ref f8vector-set! f8? make-f8vector f8vector-length f8vector? 0.))
(define f16-storage-class
  (uvector-class f16vector-ref f16vector-set! f16? make-f16vector f16vector-length
                 f16vector? 0.))
(define f32-storage-class
  (uvector-class f32vector-ref f32vector-set! f32? make-f32vector f32vector-length
                 f32vector? 0.))
(define f64-storage-class
  (uvector-class f64vector-ref f64vector-set! f64? make-f64vector f64vector-length
                 f64vector? 0.))
(define c64-storage-class
  (uvector-class c64vector-ref c64vector-set! c64? make-c64vector c64vector-length
                 c64vector? 0.))
(define c128-storage-class
  (uvector-class c128vector-ref c128vector-set! c128? make-c128vector c128vector-length
                 c128vector? 0.))
(define char-storage-class
  (make-storage-class string-ref string-set! char? make-string string-copy! string-length
                      #\0 string? (lambda (data) data)))

;; -- parts ----------------------------------------------------------------------------

;; The array over NEW-DOMAIN whose elements are at the multi-indexes that MAP, of lists,
;; makes; it shares the storage where there is some.
(define (view array new-domain map)
  (if (specialized-array? array)
      (specialized-array-share array new-domain
                               (lambda index (apply values (map index))))
      (let ((get (array-getter array)))
        (define (getter . index) (apply get (map index)))
        (if (mutable-array? array)
            (let ((set (array-setter array)))
              (make-array new-domain getter
                          (lambda (object . index) (apply set object (map index)))))
            (make-array new-domain getter)))))

(define (check-domain who ok? . objects)
  (if (not ok?) (apply error (string-append (symbol->string who)
                                            ": not a part of the array's domain")
                       objects)))

;;> (array-extract array new-domain)
;;> Return the part of ARRAY with these multi-indexes.
(define (array-extract array new-domain)
  (check-domain 'array-extract (interval-subset? new-domain (array-domain array))
                new-domain)
  (view array new-domain (lambda (index) index)))

;;> (array-translate array translation)
;;> Return it with the multi-indexes moved.
(define (array-translate array translation)
  (let ((back (vector->list translation)))
    (view array (interval-translate (array-domain array) translation)
          (lambda (index) (map - index back)))))

;;> (array-permute array permutation)
;;> Return it with the indexes in another order.
(define (array-permute array permutation)
  (let* ((n (vector-length permutation)) (inverse (make-vector n)))
    (do ((i 0 (+ i 1))) ((= i n))
      (vector-set! inverse (vector-ref permutation i) i))
    (view array (interval-permute (array-domain array) permutation)
          (lambda (index)
            (let ((v (list->vector index)))
              (map (lambda (i) (vector-ref v i)) (vector->list inverse)))))))

;;> (array-reverse array [flip?])
;;> Return it with the indexes running backwards, all or those for which the vector FLIP? has #t.
(define (array-reverse array . rest)
  (let* ((domain (array-domain array))
         (flips (vector->list (if (pair? rest)
                                  (car rest)
                                  (make-vector (interval-dimension domain) #t))))
         (sums (map (lambda (low high) (+ low high -1))
                    (interval-lower-bounds->list domain)
                    (interval-upper-bounds->list domain))))
    (view array domain
          (lambda (index)
            (map (lambda (i flip? sum) (if flip? (- sum i) i)) index flips sums)))))

;;> (array-sample array scales)
;;> Return the array of every so many-th element; the lower bounds are 0.
(define (array-sample array scales)
  (let ((factors (vector->list scales)))
    (view array (interval-scale (array-domain array) scales)
          (lambda (index) (map * index factors)))))

;;> (array-curry array inner-dimension)
;;> Return the array, by the left indexes, of the arrays by the last INNER-DIMENSION ones.
(define (array-curry array inner)
  (let-values (((outer-domain inner-domain)
                (interval-projections (array-domain array) inner)))
    (make-array outer-domain
                (lambda outer
                  (view array inner-domain (lambda (index) (append outer index)))))))

;; The (start . end)s into which a size, a number or the vector of the sizes, cuts.
(define (cuts low high size)
  (if (vector? size)
      (let loop ((start low) (sizes (vector->list size)) (done '()))
        (if (null? sizes)
            (begin
              (check-domain 'array-tile (= start high) size)
              (list->vector (reverse done)))
            (loop (+ start (car sizes)) (cdr sizes)
                  (cons (cons start (+ start (car sizes))) done))))
      (begin
        (if (not (and (exact-integer? size) (> size 0)))
            (error "array-tile: not a positive size" size))
        (list->vector
         (map (lambda (i)
                (cons (+ low (* i size)) (min high (+ low (* (+ i 1) size)))))
              (bounds-list 0 (ceiling (/ (- high low) size))))))))

;;> (array-tile array sizes)
;;> Return the array of the parts of ARRAY; SIZES has for each index the size of the parts, or
;;> the vector of their sizes.
(define (array-tile array sizes)
  (let* ((domain (array-domain array))
         (all (vector-map cuts (interval-lower-bounds->vector domain)
                          (interval-upper-bounds->vector domain) sizes)))
    (make-array (make-interval (vector-map vector-length all))
                (lambda index
                  (let ((parts (map vector-ref (vector->list all) index)))
                    (array-extract array
                                   (make-interval (list->vector (map car parts))
                                                  (list->vector (map cdr parts)))))))))

;; -- elements ---------------------------------------------------------------------------

(define (check-same-domain who arrays)
  (for-each (lambda (array)
              (if (not (interval= (array-domain (car arrays)) (array-domain array)))
                  (error (string-append (symbol->string who)
                                        ": the arrays have different domains")
                         array)))
            (cdr arrays)))

;;> (array-map procedure array ...)
;;> Return the array of what PROCEDURE makes of the elements, each time they are asked for.
;;> (array-ref (array-map - (make-array (make-interval #(3)) values)) 2) => -2
(define (array-map procedure array . arrays)
  (let ((all (cons array arrays)))
    (check-same-domain 'array-map all)
    (make-array (array-domain array)
                (lambda index
                  (apply procedure
                         (map (lambda (array) (apply (array-getter array) index))
                              all))))))

;;> (array-for-each procedure array ...)
;;> Call PROCEDURE with the elements at each multi-index, in order.
(define (array-for-each procedure array . arrays)
  (interval-for-each (lambda index
                       (apply procedure
                              (map (lambda (array) (apply (array-getter array) index))
                                   (cons array arrays))))
                     (begin
                       (check-same-domain 'array-for-each (cons array arrays))
                       (array-domain array))))

;;> (array-foldl operator identity array ...), (array-fold-left operator identity array ...),
;;> (array-foldr operator identity array ...), (array-fold-right operator identity array ...)
;;> Combine the elements: (OPERATOR state element ...) from the first one on, or
;;> (OPERATOR element ... state) from the last.
(define (array-fold-left operator identity array . arrays)
  (let ((state identity))
    (apply array-for-each
           (lambda elements (set! state (apply operator state elements)))
           array arrays)
    state))
(define (array-fold-right operator identity array . arrays)
  (let ((rows '()))
    (apply array-for-each (lambda elements (set! rows (cons elements rows))) array arrays)
    (let loop ((rows rows) (state identity))
      (if (null? rows)
          state
          (loop (cdr rows) (apply operator (append (car rows) (list state))))))))
(define array-foldl array-fold-left)
(define array-foldr array-fold-right)

;;> (array-reduce operator array)
;;> Combine the elements, of which there is one at least.
(define (array-reduce operator array)
  (let ((list (array->list array)))
    (if (null? list) (error "array-reduce: the array is empty" array))
    (let loop ((state (car list)) (rest (cdr list)))
      (if (null? rest) state (loop (operator state (car rest)) (cdr rest))))))

;;> (array-any predicate array ...), (array-every predicate array ...)
;;> Does it hold at one multi-index, or at all? The value is the last of PREDICATE.
(define (array-any predicate array . arrays)
  (call/cc
   (lambda (return)
     (apply array-for-each
            (lambda elements
              (let ((value (apply predicate elements)))
                (if value (return value))))
            array arrays)
     #f)))
(define (array-every predicate array . arrays)
  (call/cc
   (lambda (return)
     (apply array-fold-left
            (lambda (state . elements)
              (or (apply predicate elements) (return #f)))
            #t array arrays))))

;; -- new arrays ------------------------------------------------------------------------

(define (argument rest i default)
  (cond ((null? rest) default)
        ((= i 0) (car rest))
        (else (argument (cdr rest) (- i 1) default))))

(define (storage-of array)
  (if (specialized-array? array) (array-storage-class array) generic-storage-class))

;; A new array with storage whose elements are those of LIST in order.
(define (filled domain list class mutable? safe?)
  (let* ((new (make-specialized-array domain class (storage-class-default class) safe?))
         (body (array-body new)) (set (storage-class-setter class))
         (ok? (storage-class-checker class)))
    (let loop ((i 0) (rest list))
      (when (pair? rest)
        (if (not (ok? (car rest)))
            (error "array: the storage cannot hold this" (car rest)))
        (set body i (car rest))
        (loop (+ i 1) (cdr rest))))
    (if mutable? new (array-freeze! new))))

(define (filled-by domain list class rest)
  (filled domain list (or (argument rest 0 class) class)
          (argument rest 1 (specialized-array-default-mutable?))
          (argument rest 2 (specialized-array-default-safe?))))

;;> (array-copy array [class [mutable? [safe?]]]), (array-copy! ...)
;;> Return a new array with storage and the same elements.
(define (array-copy array . rest)
  (filled-by (array-domain array) (array->list array) (storage-of array) rest))
(define array-copy! array-copy)

;;> (array-assign! destination source)
;;> Make the elements of DESTINATION those of SOURCE.
(define (array-assign! destination source)
  (check-same-domain 'array-assign! (list destination source))
  (let ((set (array-setter destination)) (values (array->list source)))
    (interval-for-each (lambda index
                         (apply set (car values) index)
                         (set! values (cdr values)))
                       (array-domain destination))))

;;> (array->list array), (list->array domain list [class [mutable? [safe?]]]),
;;> (array->vector array), (vector->array domain vector [class [mutable? [safe?]]])
;;> Convert between the elements in order and arrays.
;;> (array->list (make-array (make-interval #(3)) values)) => (0 1 2)
(define (array->list array)
  (let ((list '()))
    (array-for-each (lambda (element) (set! list (cons element list))) array)
    (reverse list)))
(define (list->array domain list . rest)
  (if (not (= (interval-volume domain) (length list)))
      (error "list->array: the list has not as many elements as the domain" domain))
  (filled-by domain list generic-storage-class rest))
(define (array->vector array) (list->vector (array->list array)))
(define (vector->array domain vector . rest)
  (apply list->array domain (vector->list vector) rest))

;;> (array->list* array), (array->vector* array)
;;> Return its elements as lists of lists, or vectors of vectors.
;;> (array->list* (make-array (make-interval #(2 2)) list)) => (((0 0) (0 1)) ((1 0) (1 1)))
(define (array->list* array) (nested array (lambda (list) list)))
(define (array->vector* array) (nested array list->vector))
(define (nested array make)
  (case (array-dimension array)
    ((0) (array-ref array))
    ((1) (make (array->list array)))
    (else
     (make (map (lambda (part) (nested part make))
                (array->list (array-curry array (- (array-dimension array) 1))))))))

;;> (list*->array dimension nested [class [mutable? [safe?]]]),
;;> (vector*->array dimension nested [class [mutable? [safe?]]])
;;> Return the array of the elements of nested lists, or vectors.
;;> (array-ref (list*->array 2 '((1 2) (3 4))) 1 0) => 3
(define (list*->array dimension nested . rest)
  (apply from-nested dimension nested (lambda (list) list) rest))
(define (vector*->array dimension nested . rest)
  (apply from-nested dimension nested vector->list rest))
(define (from-nested dimension nested open . rest)
  (define (shape d nested)
    (if (= d 0)
        '()
        (let ((items (open nested)))
          (cons (length items)
                (if (null? items)
                    (map (lambda (i) 0) (bounds-list 1 d))
                    (shape (- d 1) (car items)))))))
  (define (elements d sizes nested)
    (if (= d 0)
        (list nested)
        (let ((items (open nested)))
          (if (not (= (length items) (car sizes)))
              (error "array: the parts have different lengths" nested))
          (apply append
                 (map (lambda (item) (elements (- d 1) (cdr sizes) item)) items)))))
  (let ((sizes (shape dimension nested)))
    (filled-by (make-interval (list->vector sizes)) (elements dimension sizes nested)
               generic-storage-class rest)))

;;> (array-outer-product operator a b)
;;> Return the array of (OPERATOR element-of-a element-of-b).
(define (array-outer-product operator a b)
  (let ((n (array-dimension a)))
    (make-array (interval-cartesian-product (array-domain a) (array-domain b))
                (lambda index
                  (operator (apply (array-getter a) (list-head index n))
                            (apply (array-getter b) (list-tail index n)))))))

(define (list-head list n)
  (if (= n 0) '() (cons (car list) (list-head (cdr list) (- n 1)))))

;;> (array-inner-product a f g b)
;;> Return the array of what F combines of (G element-of-a element-of-b) over the last index
;;> of A and the first of B: with + and * the product of matrices.
(define (array-inner-product a f g b)
  (array-outer-product
   (lambda (row column) (array-reduce f (array-map g row column)))
   (array-copy (array-curry a 1))
   (array-copy (array-curry (array-permute b (index-last (array-dimension b) 0)) 1))))

;;> (array-stack k arrays [class [mutable? [safe?]]]), (array-stack! ...)
;;> Return the array of the elements of ARRAYS, a list or array of arrays of one domain, with a
;;> new index K that says which.
(define (array-stack k arrays . rest)
  (let* ((all (if (array? arrays) (array->list arrays) arrays))
         (domain (array-domain (car all))) (v (list->vector all)))
    (check-same-domain 'array-stack all)
    (let ((lowers (interval-lower-bounds->list domain))
          (uppers (interval-upper-bounds->list domain)))
      (apply array-copy
             (make-array (make-interval
                          (list->vector (insert lowers k 0))
                          (list->vector (insert uppers k (vector-length v))))
                         (lambda index
                           (apply (array-getter (vector-ref v (list-ref index k)))
                                  (append (list-head index k)
                                          (list-tail index (+ k 1))))))
             (if (pair? rest) rest (list (storage-of (car all))))))))
(define array-stack! array-stack)

(define (insert list k object)
  (append (list-head list k) (cons object (list-tail list k))))

;;> (array-append k arrays [class [mutable? [safe?]]]), (array-append! ...)
;;> Return the array of ARRAYS, a list or array of them, one behind the other along index K.
(define (array-append k arrays . rest)
  (let* ((all (if (array? arrays) (array->list arrays) arrays))
         (first (array-domain (car all)))
         (widths (map (lambda (a) (interval-width (array-domain a) k)) all))
         (uppers (interval-widths first)))
    (for-each (lambda (a)
                (let ((mine (interval-widths (array-domain a))))
                  (vector-set! mine k (vector-ref uppers k))
                  (if (not (equal? mine uppers))
                      (error "array-append: the arrays do not go together" a))))
              all)
    (vector-set! uppers k (apply + widths))
    (let ((new (make-specialized-array
                (make-interval uppers) (argument rest 0 (storage-of (car all))))))
      (let loop ((all all) (widths widths) (at 0))
        (when (pair? all)
          (let* ((array (array-translate
                         (car all)
                         (vector-map - (interval-lower-bounds->vector
                                        (array-domain (car all))))))
                 (move (make-vector (vector-length uppers) 0)))
            (vector-set! move k at)
            (let ((moved (array-translate array move)))
              (array-assign! (array-extract new (array-domain moved)) moved)))
          (loop (cdr all) (cdr widths) (+ at (car widths)))))
      (if (argument rest 1 (specialized-array-default-mutable?))
          new
          (array-freeze! new)))))
(define array-append! array-append)

;;> (array-decurry array [class [mutable? [safe?]]]), (array-decurry! ...)
;;> Return the array of the elements of an array of arrays of one domain.
(define (array-decurry array . rest)
  (let* ((parts (array->list array)) (inner (array-domain (car parts))))
    (check-same-domain 'array-decurry parts)
    (filled-by (interval-cartesian-product (array-domain array) inner)
               (apply append (map array->list parts))
               (storage-of (car parts)) rest)))
(define array-decurry! array-decurry)

;;> (array-block array [class [mutable? [safe?]]]), (array-block! ...)
;;> Return the array that the arrays in ARRAY, put next to each other as they stand, make.
(define (array-block array . rest)
  (let loop ((k (- (array-dimension array) 1)) (blocks array))
    (if (< k 0)
        (apply array-copy (array-ref blocks) rest)
        (let ((rows (array-curry blocks 1)))
          (loop (- k 1)
                (array-copy
                 (array-map (lambda (row) (array-append k row)) rows)))))))
(define array-block! array-block)

;;> (specialized-array-reshape array new-domain [copy?])
;;> Return the array over NEW-DOMAIN with the same elements in order; over the same storage
;;> where they stand in order there, else, with COPY?, over new storage.
(define (specialized-array-reshape array new-domain . copy?)
  (if (not (= (interval-volume new-domain) (interval-volume (array-domain array))))
      (error "specialized-array-reshape: the domains have different volumes" new-domain))
  (cond ((array-packed? array)
         (let ((coeffs (default-coeffs new-domain))
               (first (if (array-empty? array)
                          0
                          (apply (array-indexer array)
                                 (interval-lower-bounds->list (array-domain array))))))
           (vector-set! coeffs 0 (+ first (vector-ref coeffs 0)))
           (%make-specialized new-domain (array-storage-class array) (array-body array)
                              coeffs (array-safe? array) (mutable-array? array))))
        ((and (pair? copy?) (car copy?))
         (list->array new-domain (array->list array) (array-storage-class array)
                      (mutable-array? array) (array-safe? array)))
        (else
         (error "specialized-array-reshape: the elements do not stand in order" array))))
