;;; SRFI 146, hash mappings: the body. TABLE is a mapping from hashes to alists.

(define-record-type <hashmap>
  (make-hashmap comparator size table)
  hashmap?
  (comparator comparator-of)
  (size size-of)
  (table table-of))

(define empty-table
  (mapping (make-comparator exact-integer? = < (lambda (n) n))))

(define (check who m)
  (if (not (hashmap? m))
      (error (string-append (symbol->string who) ": not a hashmap") m)))

;; The pair of KEY in an alist, or #f.
(define (find-pair comparator key bucket)
  (cond ((null? bucket) #f)
        ((=? comparator key (caar bucket)) (car bucket))
        (else (find-pair comparator key (cdr bucket)))))

(define (without-key comparator key bucket)
  (cond ((null? bucket) '())
        ((=? comparator key (caar bucket)) (cdr bucket))
        (else (cons (car bucket)
                    (without-key comparator key (cdr bucket))))))

(define (hash-of m key) (comparator-hash (comparator-of m) key))

(define (lookup m key)
  (find-pair (comparator-of m) key
             (mapping-ref/default (table-of m) (hash-of m key) '())))

(define (insert m key value)
  (let* ((comparator (comparator-of m))
         (hash (hash-of m key))
         (bucket (mapping-ref/default (table-of m) hash '()))
         (rest (without-key comparator key bucket)))
    (make-hashmap comparator
                  (+ (size-of m) (- (+ 1 (length rest)) (length bucket)))
                  (mapping-set (table-of m) hash
                               (cons (cons key value) rest)))))

(define (remove m key)
  (let* ((comparator (comparator-of m))
         (hash (hash-of m key))
         (bucket (mapping-ref/default (table-of m) hash '())))
    (if (find-pair comparator key bucket)
        (let ((rest (without-key comparator key bucket)))
          (make-hashmap comparator (- (size-of m) 1)
                        (if (null? rest)
                            (mapping-delete (table-of m) hash)
                            (mapping-set (table-of m) hash rest))))
        m)))

(define (absent who)
  (lambda ()
    (error (string-append (symbol->string who) ": no entry of this key"))))

(define (option rest n default)
  (cond ((null? rest) default)
        ((= n 0) (car rest))
        (else (option (cdr rest) (- n 1) default))))

(define (self value) value)

;; -- constructors ------------------------------------------------------------

;;> (hashmap comparator key value ...)
;;> Return a hashmap; of entries of the same key the first one counts.
;;> (hashmap-ref (hashmap (make-default-comparator) 'a 1) 'a) => 1
(define (hashmap comparator . entries)
  (apply hashmap-adjoin (make-hashmap comparator 0 empty-table) entries))

;;> (hashmap-unfold stop? mapper successor seed comparator)
;;> Return the hashmap of the keys and values of (mapper seed), until (stop?
;;> seed).
(define (hashmap-unfold stop? mapper successor seed comparator)
  (let loop ((seed seed) (m (hashmap comparator)))
    (if (stop? seed)
        m
        (call-with-values (lambda () (mapper seed))
          (lambda (key value)
            (loop (successor seed) (hashmap-adjoin m key value)))))))

;; -- predicates and accessors ------------------------------------------------

;;> (hashmap-contains? hashmap key)
;;> Has it an entry of KEY?
(define (hashmap-contains? m key)
  (check 'hashmap-contains? m)
  (if (lookup m key) #t #f))

;;> (hashmap-empty? hashmap)
;;> Has it no entries?
(define (hashmap-empty? m)
  (check 'hashmap-empty? m)
  (= 0 (size-of m)))

;;> (hashmap-disjoint? a b)
;;> Have they no key in common?
(define (hashmap-disjoint? a b)
  (hashmap-every? (lambda (key value) (not (hashmap-contains? b key))) a))

;;> (hashmap-ref hashmap key [failure [success]])
;;> Return (success value) for the value of KEY; if there is none, (failure).
(define (hashmap-ref m key . rest)
  (check 'hashmap-ref m)
  (let ((found (lookup m key)))
    (cond ((not found) ((option rest 0 (absent 'hashmap-ref))))
          ((and (pair? rest) (pair? (cdr rest))) ((cadr rest) (cdr found)))
          (else (cdr found)))))

;;> (hashmap-ref/default hashmap key default)
;;> Return the value of KEY, or DEFAULT.
(define (hashmap-ref/default m key default)
  (check 'hashmap-ref/default m)
  (let ((found (lookup m key)))
    (if found (cdr found) default)))

;;> (hashmap-key-comparator hashmap)
;;> Return the comparator of the keys.
(define (hashmap-key-comparator m)
  (check 'hashmap-key-comparator m)
  (comparator-of m))

;; -- updaters ----------------------------------------------------------------

;; Change M by the entries of a list, each by (change m key value).
(define (change-all who m entries change)
  (check who m)
  (let loop ((rest entries) (m m))
    (cond ((null? rest) m)
          ((null? (cdr rest))
           (error (string-append (symbol->string who) ": a key without a value")
                  (car rest)))
          (else (loop (cddr rest) (change m (car rest) (cadr rest)))))))

;;> (hashmap-adjoin hashmap key value ...)
;;> Return the hashmap with the entries whose keys it has not yet.
(define (hashmap-adjoin m . entries)
  (change-all 'hashmap-adjoin m entries
              (lambda (m key value)
                (if (lookup m key) m (insert m key value)))))

;;> (hashmap-adjoin! hashmap key value ...)
;;> The same as hashmap-adjoin.
(define hashmap-adjoin! hashmap-adjoin)

;;> (hashmap-set hashmap key value ...)
;;> Return the hashmap with these entries.
(define (hashmap-set m . entries) (change-all 'hashmap-set m entries insert))

;;> (hashmap-set! hashmap key value ...)
;;> The same as hashmap-set.
(define hashmap-set! hashmap-set)

;;> (hashmap-replace hashmap key value)
;;> Return the hashmap with another value for KEY, if it has one.
(define (hashmap-replace m key value)
  (if (hashmap-contains? m key) (insert m key value) m))

;;> (hashmap-replace! hashmap key value)
;;> The same as hashmap-replace.
(define hashmap-replace! hashmap-replace)

;;> (hashmap-delete hashmap key ...)
;;> Return the hashmap without the entries of these keys.
(define (hashmap-delete m . keys) (hashmap-delete-all m keys))

;;> (hashmap-delete! hashmap key ...)
;;> The same as hashmap-delete.
(define hashmap-delete! hashmap-delete)

;;> (hashmap-delete-all hashmap keys)
;;> Return the hashmap without the entries of a list of keys.
(define (hashmap-delete-all m keys)
  (check 'hashmap-delete-all m)
  (if (null? keys)
      m
      (hashmap-delete-all (remove m (car keys)) (cdr keys))))

;;> (hashmap-delete-all! hashmap keys)
;;> The same as hashmap-delete-all.
(define hashmap-delete-all! hashmap-delete-all)

;;> (hashmap-intern hashmap key failure)
;;> Return the hashmap and the value of KEY; if there is none, with that of
;;> (failure).
(define (hashmap-intern m key failure)
  (check 'hashmap-intern m)
  (let ((found (lookup m key)))
    (if found
        (values m (cdr found))
        (let ((value (failure)))
          (values (insert m key value) value)))))

;;> (hashmap-intern! hashmap key failure)
;;> The same as hashmap-intern.
(define hashmap-intern! hashmap-intern)

;;> (hashmap-update hashmap key updater [failure [success]])
;;> Return the hashmap with (updater (success value)) for KEY; where there is
;;> no value, with (updater (failure)).
(define (hashmap-update m key updater . rest)
  (insert m key
          (updater (hashmap-ref m key
                                (option rest 0 (absent 'hashmap-update))
                                (option rest 1 self)))))

;;> (hashmap-update! hashmap key updater [failure [success]])
;;> The same as hashmap-update.
(define hashmap-update! hashmap-update)

;;> (hashmap-update/default hashmap key updater default)
;;> Like hashmap-update, with DEFAULT where there is no value.
(define (hashmap-update/default m key updater default)
  (hashmap-update m key updater (lambda () default)))

;;> (hashmap-update!/default hashmap key updater default)
;;> The same as hashmap-update/default.
(define hashmap-update!/default hashmap-update/default)

;;> (hashmap-pop hashmap [failure])
;;> Return the hashmap without one of its entries, that key and value.
(define (hashmap-pop m . rest)
  (check 'hashmap-pop m)
  (if (= 0 (size-of m))
      ((option rest 0 (lambda () (error "hashmap-pop: an empty hashmap"))))
      (call-with-values (lambda () (mapping-pop (table-of m)))
        (lambda (table hash bucket)
          (values (make-hashmap (comparator-of m) (- (size-of m) 1)
                                (if (null? (cdr bucket))
                                    table
                                    (mapping-set table hash (cdr bucket))))
                  (caar bucket) (cdar bucket))))))

;;> (hashmap-pop! hashmap [failure])
;;> The same as hashmap-pop.
(define hashmap-pop! hashmap-pop)

;;> (hashmap-search hashmap key failure success)
;;> Call (success key value update remove) or, if there is no entry, (failure
;;> insert ignore); (update key value obj), (remove obj), (insert value obj)
;;> and (ignore obj) answer the hashmap so changed and OBJ.
(define (hashmap-search m key failure success)
  (check 'hashmap-search m)
  (let ((found (lookup m key)))
    (if found
        (success (car found) (cdr found)
                 (lambda (new-key value obj)
                   (values (insert (remove m key) new-key value) obj))
                 (lambda (obj) (values (remove m key) obj)))
        (failure (lambda (value obj) (values (insert m key value) obj))
                 (lambda (obj) (values m obj))))))

;;> (hashmap-search! hashmap key failure success)
;;> The same as hashmap-search.
(define hashmap-search! hashmap-search)

;; -- the whole hashmap -------------------------------------------------------

;;> (hashmap-size hashmap)
;;> Return the number of entries.
(define (hashmap-size m)
  (check 'hashmap-size m)
  (size-of m))

;;> (hashmap-find f hashmap failure)
;;> Return the key and value of an entry that satisfies F; or (failure).
(define (hashmap-find f m failure)
  (let loop ((rest (hashmap->alist m)))
    (cond ((null? rest) (failure))
          ((f (caar rest) (cdar rest)) (values (caar rest) (cdar rest)))
          (else (loop (cdr rest))))))

;;> (hashmap-count f hashmap)
;;> Return how many entries satisfy F.
(define (hashmap-count f m)
  (hashmap-fold (lambda (key value n) (if (f key value) (+ n 1) n)) 0 m))

;;> (hashmap-any? f hashmap)
;;> Does an entry satisfy F?
(define (hashmap-any? f m)
  (let loop ((rest (hashmap->alist m)))
    (and (pair? rest)
         (or (if (f (caar rest) (cdar rest)) #t #f)
             (loop (cdr rest))))))

;;> (hashmap-every? f hashmap)
;;> Do all entries satisfy F?
(define (hashmap-every? f m)
  (not (hashmap-any? (lambda (key value) (not (f key value))) m)))

;;> (hashmap-keys hashmap)
;;> Return the list of the keys.
(define (hashmap-keys m) (map car (hashmap->alist m)))

;;> (hashmap-values hashmap)
;;> Return the list of the values, in the order of hashmap-keys.
(define (hashmap-values m) (map cdr (hashmap->alist m)))

;;> (hashmap-entries hashmap)
;;> Return the lists of the keys and of the values.
(define (hashmap-entries m) (values (hashmap-keys m) (hashmap-values m)))

;; -- mapping and folding -----------------------------------------------------

;;> (hashmap-fold kons knil hashmap)
;;> Fold (kons key value out) over the entries.
(define (hashmap-fold kons knil m)
  (check 'hashmap-fold m)
  (mapping-fold
   (lambda (hash bucket out)
     (let loop ((rest bucket) (out out))
       (if (null? rest)
           out
           (loop (cdr rest) (kons (caar rest) (cdar rest) out)))))
   knil (table-of m)))

;;> (hashmap-map f comparator hashmap)
;;> Return the hashmap of the keys and values that F gives.
(define (hashmap-map f comparator m)
  (hashmap-fold (lambda (key value out)
                  (call-with-values (lambda () (f key value))
                    (lambda (key value) (hashmap-adjoin out key value))))
                (hashmap comparator) m))

;;> (hashmap-for-each f hashmap)
;;> Call F with the keys and values.
(define (hashmap-for-each f m)
  (hashmap-fold (lambda (key value out) (f key value) out) #t m))

;;> (hashmap-map->list f hashmap)
;;> Return the list of F's values.
(define (hashmap-map->list f m)
  (hashmap-fold (lambda (key value out) (cons (f key value) out)) '() m))

;;> (hashmap-filter f hashmap)
;;> Return the hashmap of the entries that satisfy F.
(define (hashmap-filter f m)
  (hashmap-fold (lambda (key value out)
                  (if (f key value) out (remove out key)))
                m m))

;;> (hashmap-filter! f hashmap)
;;> The same as hashmap-filter.
(define hashmap-filter! hashmap-filter)

;;> (hashmap-remove f hashmap)
;;> Return the hashmap of the entries that do not satisfy F.
(define (hashmap-remove f m)
  (hashmap-filter (lambda (key value) (not (f key value))) m))

;;> (hashmap-remove! f hashmap)
;;> The same as hashmap-remove.
(define hashmap-remove! hashmap-remove)

;;> (hashmap-partition f hashmap)
;;> Return the hashmaps of the entries that satisfy F and of the others.
(define (hashmap-partition f m)
  (values (hashmap-filter f m) (hashmap-remove f m)))

;;> (hashmap-partition! f hashmap)
;;> The same as hashmap-partition.
(define hashmap-partition! hashmap-partition)

;; -- copying and conversion --------------------------------------------------

;;> (hashmap-copy hashmap)
;;> Return the hashmap.
(define (hashmap-copy m)
  (check 'hashmap-copy m)
  m)

;;> (hashmap->alist hashmap)
;;> Return the alist of the entries.
(define (hashmap->alist m)
  (hashmap-fold (lambda (key value out) (cons (cons key value) out)) '() m))

;;> (alist->hashmap comparator alist)
;;> Return the hashmap of ALIST; of entries of the same key the first one
;;> counts.
(define (alist->hashmap comparator alist)
  (alist->hashmap! (hashmap comparator) alist))

;;> (alist->hashmap! hashmap alist)
;;> Return the hashmap with those entries of ALIST whose keys it has not yet.
(define (alist->hashmap! m alist)
  (if (null? alist)
      m
      (alist->hashmap! (hashmap-adjoin m (caar alist) (cdar alist))
                       (cdr alist))))

;; -- submappings -------------------------------------------------------------

;; Has B all entries of A, with the same values for COMPARATOR?
(define (part? comparator a b)
  (and (<= (hashmap-size a) (hashmap-size b))
       (hashmap-every?
        (lambda (key value)
          (let ((found (lookup b key)))
            (and found (=? comparator value (cdr found)))))
        a)))

;; Is (holds? a b) true for all neighbours?
(define (chain holds? hashmaps)
  (or (null? hashmaps)
      (null? (cdr hashmaps))
      (and (holds? (car hashmaps) (cadr hashmaps))
           (chain holds? (cdr hashmaps)))))

;;> (hashmap=? comparator hashmap ...)
;;> Are all hashmaps the same, by COMPARATOR of values?
(define (hashmap=? comparator . hashmaps)
  (chain (lambda (a b)
           (and (= (hashmap-size a) (hashmap-size b))
                (part? comparator a b)))
         hashmaps))

;;> (hashmap<? comparator hashmap ...)
;;> Is each hashmap a part of the next and smaller?
(define (hashmap<? comparator . hashmaps)
  (chain (lambda (a b)
           (and (< (hashmap-size a) (hashmap-size b))
                (part? comparator a b)))
         hashmaps))

;;> (hashmap>? comparator hashmap ...)
;;> Has each hashmap the next as a part and is bigger?
(define (hashmap>? comparator . hashmaps)
  (chain (lambda (a b)
           (and (> (hashmap-size a) (hashmap-size b))
                (part? comparator b a)))
         hashmaps))

;;> (hashmap<=? comparator hashmap ...)
;;> Is each hashmap a part of the next?
(define (hashmap<=? comparator . hashmaps)
  (chain (lambda (a b)
           (part? comparator a b))
         hashmaps))

;;> (hashmap>=? comparator hashmap ...)
;;> Has each hashmap the next as a part?
(define (hashmap>=? comparator . hashmaps)
  (chain (lambda (a b)
           (part? comparator b a))
         hashmaps))

;; -- set theory --------------------------------------------------------------

;; Fold (operate a b) over the hashmaps.
(define (combine who operate m more)
  (check who m)
  (if (null? more)
      m
      (combine who operate (operate m (car more)) (cdr more))))

(define (difference a b)
  (hashmap-fold (lambda (key value out) (remove out key)) a b))

(define (union a b)
  (hashmap-fold (lambda (key value out) (hashmap-adjoin out key value)) a b))

(define (intersection a b)
  (hashmap-filter (lambda (key value) (hashmap-contains? b key)) a))

(define (xor a b) (union (difference a b) (difference b a)))

;;> (hashmap-union hashmap ...)
;;> Return the hashmap of all entries; of the same key the first one counts.
(define (hashmap-union m . more) (combine 'hashmap-union union m more))

;;> (hashmap-union! hashmap ...)
;;> The same as hashmap-union.
(define hashmap-union! hashmap-union)

;;> (hashmap-intersection hashmap ...)
;;> Return the entries of the first hashmap whose keys all have.
(define (hashmap-intersection m . more)
  (combine 'hashmap-intersection intersection m more))

;;> (hashmap-intersection! hashmap ...)
;;> The same as hashmap-intersection.
(define hashmap-intersection! hashmap-intersection)

;;> (hashmap-difference hashmap ...)
;;> Return the entries of the first hashmap whose keys no other one has.
(define (hashmap-difference m . more)
  (combine 'hashmap-difference difference m more))

;;> (hashmap-difference! hashmap ...)
;;> The same as hashmap-difference.
(define hashmap-difference! hashmap-difference)

;;> (hashmap-xor hashmap ...)
;;> Return the entries whose keys an odd number of hashmaps have, folded
;;> pairwise.
(define (hashmap-xor m . more) (combine 'hashmap-xor xor m more))

;;> (hashmap-xor! hashmap ...)
;;> The same as hashmap-xor.
(define hashmap-xor! hashmap-xor)

;; -- comparators -------------------------------------------------------------

;;> (make-hashmap-comparator comparator)
;;> Return a comparator of hashmaps, without an order, by COMPARATOR of values.
(define (make-hashmap-comparator comparator)
  (make-comparator hashmap?
                   (lambda (a b) (hashmap=? comparator a b))
                   #f
                   (lambda (m)
                     (hashmap-fold
                      (lambda (key value out)
                        (+ out (hash-of m key)
                           (comparator-hash comparator value)))
                      0 m))))

;;> hashmap-comparator
;;> The comparator of hashmaps by the default comparator.
(define hashmap-comparator (make-hashmap-comparator (make-default-comparator)))
