;;; (chibi memoize), the body. The entries of a cache form a ring in the order of
;;; use, so that each operation takes constant time.

(define-record-type entry
  (make-entry key value size older newer)
  entry?
  (key entry-key)
  (value entry-value set-entry-value!)
  (size entry-size set-entry-size!)
  (older entry-older set-older!)
  (newer entry-newer set-newer!))

(define-record-type lru-cache
  (%make-lru-cache table ring size limit size-of)
  lru-cache?
  (table cache-table)
  (ring cache-ring)
  (size cache-size set-cache-size!)
  (limit cache-limit)
  (size-of cache-size-of))

;;> (make-lru-cache [keyword value] ...)
;;> Return an empty cache. The keywords: size-limit: (100; #f for none), equal:
;;> (equal?), get-size: (a procedure of key and value; 1 for each entry).
;;> (lru-cache? (make-lru-cache)) => #t
(define (make-lru-cache . options)
  (let ((ring (make-entry #f #f 0 #f #f)))
    (set-older! ring ring)
    (set-newer! ring ring)
    (%make-lru-cache (make-hash-table (keyword-ref options 'equal: equal?))
                     ring 0
                     (keyword-ref options 'size-limit: 100)
                     (keyword-ref options 'get-size:
                                  (lambda (key value) 1)))))

(define (unlink! entry)
  (set-newer! (entry-older entry) (entry-newer entry))
  (set-older! (entry-newer entry) (entry-older entry)))

;; ENTRY is the newest.
(define (link! cache entry)
  (let* ((ring (cache-ring cache))
         (last (entry-older ring)))
    (set-older! entry last)
    (set-newer! entry ring)
    (set-newer! last entry)
    (set-older! ring entry)))

(define (find! cache key)
  (let ((entry (hash-table-ref/default (cache-table cache) key #f)))
    (if entry
        (begin
          (unlink! entry)
          (link! cache entry)))
    entry))

(define (shrink! cache)
  (let ((limit (cache-limit cache))
        (oldest (entry-newer (cache-ring cache))))
    (if (and limit
             (> (cache-size cache) limit)
             (> (hash-table-size (cache-table cache)) 0))
        (begin
          (unlink! oldest)
          (hash-table-delete! (cache-table cache) (entry-key oldest))
          (set-cache-size! cache (- (cache-size cache) (entry-size oldest)))
          (shrink! cache)))))

;;> (lru-ref cache key [default])
;;> Return the value of KEY, or DEFAULT (#f). A procedure as DEFAULT is called.
;;> (lru-ref (make-lru-cache) 'a 0) => 0
(define (lru-ref cache key . default)
  (let ((entry (find! cache key)))
    (cond (entry (entry-value entry))
          ((null? default) #f)
          ((procedure? (car default)) ((car default)))
          (else (car default)))))

;;> (lru-ref! cache key make-value)
;;> Return the value of KEY; if there is none, keep what (make-value) gives.
;;> (let ((c (make-lru-cache))) (lru-ref! c 1 (lambda () 2))) => 2
(define (lru-ref! cache key make-value)
  (let ((entry (find! cache key)))
    (if entry
        (entry-value entry)
        (let ((value (make-value)))
          (lru-set! cache key value)
          value))))

;;> (lru-set! cache key value)
;;> Keep VALUE for KEY; drop the entries longest unused beyond the limit.
;;> (let ((c (make-lru-cache))) (lru-set! c 1 2) (lru-ref c 1)) => 2
(define (lru-set! cache key value)
  (let ((entry (find! cache key))
        (size ((cache-size-of cache) key value)))
    (if entry
        (begin
          (set-cache-size! cache (+ (- (cache-size cache) (entry-size entry))
                                    size))
          (set-entry-size! entry size)
          (set-entry-value! entry value))
        (let ((entry (make-entry key value size #f #f)))
          (link! cache entry)
          (hash-table-set! (cache-table cache) key entry)
          (set-cache-size! cache (+ (cache-size cache) size))))
    (shrink! cache)))

;;> (memoize procedure [keyword value] ...)
;;> Return a procedure that calls PROCEDURE once for equal arguments, as far as the
;;> cache (see make-lru-cache; or the one given as cache:) remembers.
;;> ((memoize square) 3) => 9
(define (memoize procedure . options)
  (let ((cache (or (keyword-ref options 'cache: #f)
                   (apply make-lru-cache options))))
    (lambda arguments
      (lru-ref! cache arguments (lambda () (apply procedure arguments))))))

;;> (define-memoized (name argument ...) body ...)
;;> Define a procedure that remembers all its results.
;;> (let () (define-memoized (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2)))))
;;>   (f 50)) => 12586269025
(define-syntax define-memoized
  (syntax-rules ()
    ((_ (name . parameters) body ...)
     (define name
       (memoize (lambda parameters body ...) 'size-limit: #f)))
    ((_ name procedure)
     (define name (memoize procedure 'size-limit: #f)))))

;;> (hash-table-ref! table key make-value)
;;> Return the value of KEY; if there is none, keep what (make-value) gives.
(define (hash-table-ref! table key make-value)
  (hash-table-intern! table key make-value))
