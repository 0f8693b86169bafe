;;; (srfi 146 hamt), the body.
;;;
;;; A narrow node has two masks of 32 bits: which fragments of the hash have a leaf,
;;; which have a node below. Its array holds key and payload (only the key, without
;;; payloads) of the leaves, then the nodes, both in the order of the bits. A node with
;;; a child for every fragment is wide. Where the hash is used up, a collision holds an
;;; alist. Nodes are never changed: a mutable trie is a record whose root is replaced.

(define hamt-hash-slice-size 5)
;;> hamt-hash-size, hamt-bucket-size
;;> Bits of a hash that are looked at, and fragments at each node.
;;> hamt-bucket-size => 32
(define hamt-hash-size 60)
(define hamt-bucket-size 32)
(define hash-limit (expt 2 hamt-hash-size))

(define-record-type hash-array-mapped-trie
  (%make-hamt = count hash mutable? payload? root)
  hash-array-mapped-trie?
  (= hamt/=)
  (count hamt/count set-hamt/count!)
  (hash hamt/hash)
  (mutable? hamt/mutable?)
  (payload? hamt/payload?)
  (root hamt/root set-hamt/root!))

(define-record-type collision
  (make-collision entries hash)
  collision?
  (entries collision/entries)
  (hash collision/hash))

(define-record-type narrow
  (make-narrow array children leaves)
  narrow?
  (array narrow/array)
  (children narrow/children)
  (leaves narrow/leaves))

(define-record-type wide
  (make-wide array children)
  wide?
  (array wide/array)
  (children wide/children))

;;> hamt-null, (hamt-null? object)
;;> The object that stands for no payload. (hamt-null? hamt-null) => #t
(define hamt-null (list 'hamt-null))
(define (hamt-null? object) (eq? object hamt-null))

;;> (fragment->mask fragment)
;;> Return the number with the bits below FRAGMENT. (fragment->mask 3) => 7
(define (fragment->mask fragment) (- (arithmetic-shift 1 fragment) 1))

;;> (next-set-bit n start end)
;;> Return the place of the first bit of N from START to below END that is set, or #f.
;;> (next-set-bit 12 0 32) => 2
(define (next-set-bit n start end)
  (let ((rest (arithmetic-shift n (- start))))
    (and (not (= rest 0))
         (let ((place (+ start (first-set-bit rest))))
           (and (< place end) place)))))

;;> (leaf-stride payload?)
;;> Return how many elements a leaf takes. (leaf-stride #t) => 2
(define (leaf-stride payload?) (if payload? 2 1))

;;> (collision? object), (narrow? object), (wide? object), (narrow/array node),
;;> (narrow/leaves node), (wide/array node), (wide/children node)
;;> The kinds of nodes, and their parts. (narrow? (hamt/root (make-hamt = values #t))) => #t

;;> (make-hamt = hash payload?)
;;> Return an empty trie with keys that the procedures = and HASH are for; each key has
;;> a value where PAYLOAD?. (hamt/empty? (make-hamt = values #t)) => #t
(define (make-hamt = hash payload?)
  (%make-hamt = 0 hash #f payload? (make-narrow (vector) 0 0)))

;;> (hash-array-mapped-trie? object), (hamt/count trie), (hamt/empty? trie),
;;> (hamt/payload? trie), (hamt/mutable? trie), (hamt/root trie)
;;> Is OBJECT a trie; how many keys are in it; what kind it is.
;;> (hamt/count (make-hamt = values #t)) => 0
(define (hamt/empty? trie) (= 0 (hamt/count trie)))

;;> (hamt/mutable trie), (hamt/immutable trie)
;;> Return a trie with the same keys that can, or cannot, be changed.
;;> (hamt/mutable? (hamt/mutable (make-hamt = values #t))) => #t
(define (hamt/mutable trie)
  (%make-hamt (hamt/= trie) (hamt/count trie) (hamt/hash trie) #t
              (hamt/payload? trie) (hamt/root trie)))
(define (hamt/immutable trie)
  (%make-hamt (hamt/= trie) (hamt/count trie) (hamt/hash trie) #f
              (hamt/payload? trie) (hamt/root trie)))

(define (hash-of trie key) (modulo ((hamt/hash trie) key) hash-limit))

(define (fragment hash shift)
  (bitwise-and (arithmetic-shift hash (- shift)) 31))

(define (rank mask fragment)
  (bit-count (bitwise-and mask (fragment->mask fragment))))

(define (bit fragment) (arithmetic-shift 1 fragment))

;; -- looking up -----------------------------------------------------------------

(define (entry-of key entries same?)
  (cond ((null? entries) #f)
        ((same? key (caar entries)) (car entries))
        (else (entry-of key (cdr entries) same?))))

(define (child-of node fragment stride)
  (if (wide? node)
      (vector-ref (wide/array node) fragment)
      (vector-ref (narrow/array node)
                  (+ (* stride (bit-count (narrow/leaves node)))
                     (rank (narrow/children node) fragment)))))

;;> (hamt-fetch trie key)
;;> Return the payload of KEY (present without payloads), or hamt-null.
;;> (hamt-null? (hamt-fetch (make-hamt = values #t) 1)) => #t
(define (hamt-fetch trie key)
  (let ((same? (hamt/= trie))
        (stride (leaf-stride (hamt/payload? trie)))
        (hash (hash-of trie key)))
    (define (payload array i)
      (if (= stride 2) (vector-ref array (+ i 1)) 'present))
    (let loop ((node (hamt/root trie)) (shift 0))
      (cond ((collision? node)
             (let ((entry (entry-of key (collision/entries node) same?)))
               (if entry (cdr entry) hamt-null)))
            (else
             (let ((f (fragment hash shift)))
               (cond ((or (wide? node) (bit-set? f (narrow/children node)))
                      (loop (child-of node f stride)
                            (+ shift hamt-hash-slice-size)))
                     ((bit-set? f (narrow/leaves node))
                      (let ((i (* stride (rank (narrow/leaves node) f)))
                            (array (narrow/array node)))
                        (if (same? key (vector-ref array i))
                            (payload array i)
                            hamt-null)))
                     (else hamt-null))))))))

;; -- changing ---------------------------------------------------------------------

(define (splice vector at drop . new)
  (vector-append (vector-copy vector 0 at) (list->vector new)
                 (vector-copy vector (+ at drop))))

(define (leaf-items stride key payload)
  (if (= stride 2) (list key payload) (list key)))

(define (widened array children leaves)
  (if (and (= leaves 0) (= children #xFFFFFFFF))
      (make-wide array children)
      (make-narrow array children leaves)))

;; The smallest node with both leaves.
(define (two-leaves trie stride shift hash-a key-a payload-a hash-b key-b payload-b)
  (if (>= shift hamt-hash-size)
      (make-collision (list (cons key-a payload-a) (cons key-b payload-b)) hash-a)
      (let ((a (fragment hash-a shift)) (b (fragment hash-b shift)))
        (if (= a b)
            (make-narrow (vector (two-leaves trie stride
                                             (+ shift hamt-hash-slice-size)
                                             hash-a key-a payload-a
                                             hash-b key-b payload-b))
                         (bit a) 0)
            (make-narrow
             (list->vector
              (if (< a b)
                  (append (leaf-items stride key-a payload-a)
                          (leaf-items stride key-b payload-b))
                  (append (leaf-items stride key-b payload-b)
                          (leaf-items stride key-a payload-a))))
             0 (bitwise-ior (bit a) (bit b)))))))

;; What a node becomes when (REPLACE old) says the payload of KEY, hamt-null for none,
;; before and after. The result is the node, and by how much the count changes.
(define (change trie node shift hash key replace)
  (let ((stride (leaf-stride (hamt/payload? trie))) (same? (hamt/= trie)))
    (cond ((collision? node) (change-collision node key same? replace))
          (else
           (let ((f (fragment hash shift)))
             (cond ((or (wide? node) (bit-set? f (narrow/children node)))
                    (change-child trie node f shift hash key replace stride))
                   ((bit-set? f (narrow/leaves node))
                    (change-leaf trie node f shift hash key replace stride))
                   (else (add-leaf node f key replace stride))))))))

(define (change-collision node key same? replace)
  (let* ((entries (collision/entries node))
         (entry (entry-of key entries same?))
         (new (replace (if entry (cdr entry) hamt-null)))
         (others (let loop ((entries entries))
                   (cond ((null? entries) '())
                         ((eq? (car entries) entry) (loop (cdr entries)))
                         (else (cons (car entries) (loop (cdr entries))))))))
    (if (hamt-null? new)
        (values (make-collision others (collision/hash node)) (if entry -1 0))
        (values (make-collision (cons (cons key new) others)
                                (collision/hash node))
                (if entry 0 1)))))

(define (change-child trie node f shift hash key replace stride)
  (let ((child (child-of node f stride)))
    (let-values (((new change)
                  (change trie child (+ shift hamt-hash-slice-size) hash key
                          replace)))
      (values
       (cond ((and (= change -1) (empty-node? new)) (drop-child node f stride))
             ((wide? node)
              (make-wide (splice (wide/array node) f 1 new)
                         (wide/children node)))
             (else
              (make-narrow (splice (narrow/array node)
                                   (+ (* stride (bit-count (narrow/leaves node)))
                                      (rank (narrow/children node) f))
                                   1 new)
                           (narrow/children node) (narrow/leaves node))))
       change))))

(define (empty-node? node)
  (cond ((collision? node) (null? (collision/entries node)))
        ((narrow? node) (= 0 (vector-length (narrow/array node))))
        (else #f)))

(define (drop-child node f stride)
  (let* ((children (if (wide? node) (wide/children node) (narrow/children node)))
         (leaves (if (wide? node) 0 (narrow/leaves node)))
         (array (if (wide? node) (wide/array node) (narrow/array node))))
    (make-narrow (splice array (+ (* stride (bit-count leaves)) (rank children f)) 1)
                 (bitwise-and children (bitwise-not (bit f)))
                 leaves)))

(define (change-leaf trie node f shift hash key replace stride)
  (let* ((array (narrow/array node))
         (leaves (narrow/leaves node))
         (children (narrow/children node))
         (i (* stride (rank leaves f)))
         (old-key (vector-ref array i))
         (old (if (= stride 2) (vector-ref array (+ i 1)) 'present)))
    (if ((hamt/= trie) key old-key)
        (let ((new (replace old)))
          (if (hamt-null? new)
              (values (make-narrow (splice array i stride) children
                                   (bitwise-and leaves (bitwise-not (bit f))))
                      -1)
              (values (make-narrow
                       (apply splice array i stride (leaf-items stride key new))
                       children leaves)
                      0)))
        (let ((new (replace hamt-null)))
          (if (hamt-null? new)
              (values node 0)
              (let* ((child (two-leaves trie stride
                                        (+ shift hamt-hash-slice-size)
                                        (hash-of trie old-key) old-key old
                                        hash key new))
                     (rest (splice array i stride))
                     (leaves (bitwise-and leaves (bitwise-not (bit f)))))
                (values (widened
                         (splice rest
                                 (+ (* stride (bit-count leaves))
                                    (rank children f))
                                 0 child)
                         (bitwise-ior children (bit f)) leaves)
                        1)))))))

(define (add-leaf node f key replace stride)
  (let ((new (replace hamt-null)))
    (if (hamt-null? new)
        (values node 0)
        (values (make-narrow
                 (apply splice (narrow/array node)
                        (* stride (rank (narrow/leaves node) f)) 0
                        (leaf-items stride key new))
                 (narrow/children node)
                 (bitwise-ior (narrow/leaves node) (bit f)))
                1))))

(define (check-mutable who trie mutable?)
  (if (not (eq? mutable? (hamt/mutable? trie)))
      (error (string-append (symbol->string who)
                            (if mutable?
                                ": the trie cannot be changed"
                                ": the trie is a mutable one"))
             trie)))

;;> (hamt/replace trie key replace), (hamt/replace! trie key replace)
;;> Return the trie where KEY has the payload that REPLACE makes of the old one; either
;;> may be hamt-null. With ! the mutable TRIE is changed.
(define (hamt/replace trie key replace)
  (check-mutable 'hamt/replace trie #f)
  (let-values (((root difference)
                (change trie (hamt/root trie) 0 (hash-of trie key) key replace)))
    (%make-hamt (hamt/= trie) (+ (hamt/count trie) difference) (hamt/hash trie) #f
                (hamt/payload? trie) root)))
(define (hamt/replace! trie key replace)
  (check-mutable 'hamt/replace! trie #t)
  (let-values (((root difference)
                (change trie (hamt/root trie) 0 (hash-of trie key) key replace)))
    (set-hamt/root! trie root)
    (set-hamt/count! trie (+ (hamt/count trie) difference))
    trie))

;;> (hamt/put trie key payload), (hamt/put! trie key payload)
;;> Return the trie where KEY has this payload.
;;> (hamt-fetch (hamt/put (make-hamt = values #t) 1 'a) 1) => a
(define (hamt/put trie key payload)
  (hamt/replace trie key (lambda (old) payload)))
(define (hamt/put! trie key payload)
  (hamt/replace! trie key (lambda (old) payload)))

;; -- walking -------------------------------------------------------------------------

;;> (hamt/for-each procedure trie)
;;> Call (PROCEDURE key payload) for each key; #f without payloads.
(define (hamt/for-each procedure trie)
  (let ((stride (leaf-stride (hamt/payload? trie))))
    (let walk ((node (hamt/root trie)))
      (cond ((collision? node)
             (for-each (lambda (entry)
                         (procedure (car entry) (and (= stride 2) (cdr entry))))
                       (collision/entries node)))
            ((wide? node) (vector-for-each walk (wide/array node)))
            (else
             (let* ((array (narrow/array node))
                    (leaves (* stride (bit-count (narrow/leaves node)))))
               (do ((i 0 (+ i stride))) ((= i leaves))
                 (procedure (vector-ref array i)
                            (and (= stride 2) (vector-ref array (+ i 1)))))
               (do ((i leaves (+ i 1))) ((= i (vector-length array)))
                 (walk (vector-ref array i)))))))))

;;> (hamt->list trie procedure)
;;> Return the list of what (PROCEDURE key payload) makes of each key.
;;> (hamt->list (hamt/put (make-hamt = values #t) 1 'a) cons) => ((1 . a))
(define (hamt->list trie procedure)
  (let ((list '()))
    (hamt/for-each (lambda (key payload)
                     (set! list (cons (procedure key payload) list)))
                   trie)
    list))
