;;; SRFI 146, the body.
;;;
;;; A tree is #f or a node whose left tree has the smaller keys. It is balanced
;;; by sizes: neither tree of a node is more than three times as big as the
;;; other, counting one more for each. All operations on two trees are made of `join`,
;;; which puts two trees and an entry between them together, and `split`.

(define-record-type <node>
  (%node key value size left right)
  node?
  (key node-key)
  (value node-value)
  (size node-size)
  (left node-left)
  (right node-right))

(define-record-type <mapping>
  (make-mapping comparator tree)
  mapping?
  (comparator mapping-comparator-of)
  (tree mapping-tree))

(define (size tree) (if tree (node-size tree) 0))

(define (node key value left right)
  (%node key value (+ 1 (size left) (size right)) left right))

;; -- trees ------------------------------------------------------------------

(define (too-big? n m) (> (+ n 1) (* 3 (+ m 1))))

(define (rotate-left key value left right)
  (let ((inner (node-left right)) (outer (node-right right)))
    (if (< (+ 1 (size inner)) (* 2 (+ 1 (size outer))))
        (node (node-key right) (node-value right)
              (node key value left inner) outer)
        (node (node-key inner) (node-value inner)
              (node key value left (node-left inner))
              (node (node-key right) (node-value right)
                    (node-right inner) outer)))))

(define (rotate-right key value left right)
  (let ((inner (node-right left)) (outer (node-left left)))
    (if (< (+ 1 (size inner)) (* 2 (+ 1 (size outer))))
        (node (node-key left) (node-value left)
              outer (node key value inner right))
        (node (node-key inner) (node-value inner)
              (node (node-key left) (node-value left)
                    outer (node-left inner))
              (node key value (node-right inner) right)))))

;; A node of trees of which one may have become too big by one.
(define (balance key value left right)
  (cond ((too-big? (size right) (size left))
         (rotate-left key value left right))
        ((too-big? (size left) (size right))
         (rotate-right key value left right))
        (else (node key value left right))))

;; The tree of LEFT, an entry, and RIGHT, of any sizes.
(define (join key value left right)
  (cond ((too-big? (size right) (size left))
         (balance (node-key right) (node-value right)
                  (join key value left (node-left right))
                  (node-right right)))
        ((too-big? (size left) (size right))
         (balance (node-key left) (node-value left)
                  (node-left left)
                  (join key value (node-right left) right)))
        (else (node key value left right))))

(define (leftmost tree)
  (if (node-left tree) (leftmost (node-left tree)) tree))

(define (rightmost tree)
  (if (node-right tree) (rightmost (node-right tree)) tree))

(define (without-leftmost tree)
  (if (node-left tree)
      (join (node-key tree) (node-value tree)
            (without-leftmost (node-left tree)) (node-right tree))
      (node-right tree)))

;; The tree of LEFT and RIGHT.
(define (concatenate left right)
  (cond ((not left) right)
        ((not right) left)
        (else
         (let ((first (leftmost right)))
           (join (node-key first) (node-value first)
                 left (without-leftmost right))))))

;; -1, 0 or 1 for the order of two keys.
(define (order comparator a b)
  (cond ((<? comparator a b) -1)
        ((=? comparator a b) 0)
        (else 1)))

;; The node of KEY, or #f.
(define (lookup comparator tree key)
  (and tree
       (let ((o (order comparator key (node-key tree))))
         (cond ((= o 0) tree)
               ((< o 0) (lookup comparator (node-left tree) key))
               (else (lookup comparator (node-right tree) key))))))

(define (insert comparator tree key value)
  (if (not tree)
      (node key value #f #f)
      (let ((o (order comparator key (node-key tree))))
        (cond ((= o 0) (%node key value (node-size tree)
                              (node-left tree) (node-right tree)))
              ((< o 0)
               (balance (node-key tree) (node-value tree)
                        (insert comparator (node-left tree) key value)
                        (node-right tree)))
              (else
               (balance (node-key tree) (node-value tree)
                        (node-left tree)
                        (insert comparator (node-right tree) key value)))))))

;; Values: the tree below KEY, its node or #f, the tree above.
(define (split comparator tree key)
  (if (not tree)
      (values #f #f #f)
      (let ((o (order comparator key (node-key tree))))
        (cond ((= o 0) (values (node-left tree) tree (node-right tree)))
              ((< o 0)
               (call-with-values
                   (lambda () (split comparator (node-left tree) key))
                 (lambda (below found above)
                   (values below found
                           (join (node-key tree) (node-value tree)
                                 above (node-right tree))))))
              (else
               (call-with-values
                   (lambda () (split comparator (node-right tree) key))
                 (lambda (below found above)
                   (values (join (node-key tree) (node-value tree)
                                 (node-left tree) below)
                           found above))))))))

(define (remove comparator tree key)
  (call-with-values (lambda () (split comparator tree key))
    (lambda (below found above)
      (if found (concatenate below above) tree))))

;; (kons key value out) over the entries in order.
(define (tree-fold kons knil tree)
  (if tree
      (tree-fold kons
                 (kons (node-key tree) (node-value tree)
                       (tree-fold kons knil (node-left tree)))
                 (node-right tree))
      knil))

(define (tree-fold-right kons knil tree)
  (if tree
      (tree-fold-right kons
                       (kons (node-key tree) (node-value tree)
                             (tree-fold-right kons knil (node-right tree)))
                       (node-left tree))
      knil))

(define (tree-filter keep? tree)
  (and tree
       (let ((left (tree-filter keep? (node-left tree)))
             (right (tree-filter keep? (node-right tree))))
         (if (keep? (node-key tree) (node-value tree))
             (join (node-key tree) (node-value tree) left right)
             (concatenate left right)))))

;; Each entry of A divides B, so that two trees of sizes n <= m take time of
;; n log (m/n + 1).
(define (tree-union comparator a b)
  (cond ((not a) b)
        ((not b) a)
        (else
         (call-with-values (lambda () (split comparator b (node-key a)))
           (lambda (below found above)
             (join (node-key a) (node-value a)
                   (tree-union comparator (node-left a) below)
                   (tree-union comparator (node-right a) above)))))))

(define (tree-intersection comparator a b)
  (and a b
       (call-with-values (lambda () (split comparator b (node-key a)))
         (lambda (below found above)
           (let ((left (tree-intersection comparator (node-left a) below))
                 (right (tree-intersection comparator (node-right a) above)))
             (if found
                 (join (node-key a) (node-value a) left right)
                 (concatenate left right)))))))

(define (tree-difference comparator a b)
  (cond ((not a) #f)
        ((not b) a)
        (else
         (call-with-values (lambda () (split comparator a (node-key b)))
           (lambda (below found above)
             (concatenate (tree-difference comparator below (node-left b))
                          (tree-difference comparator above
                                           (node-right b))))))))

;; -- mappings ---------------------------------------------------------------

(define (check who m)
  (if (not (mapping? m))
      (error (string-append (symbol->string who) ": not a mapping") m)))

(define (with-tree m tree)
  (if (eq? tree (mapping-tree m))
      m
      (make-mapping (mapping-comparator-of m) tree)))

(define (absent who)
  (lambda ()
    (error (string-append (symbol->string who) ": no entry of this key"))))

(define (option rest n default)
  (cond ((null? rest) default)
        ((= n 0) (car rest))
        (else (option (cdr rest) (- n 1) default))))

(define (self value) value)

;; -- constructors ------------------------------------------------------------

;;> (mapping comparator key value ...)
;;> Return a mapping; of entries of the same key the first one counts.
;;> (mapping->alist (mapping (make-default-comparator) 2 'b 1 'a)) =>
;;> ((1 . a) (2 . b))
(define (mapping comparator . entries)
  (let loop ((rest entries) (tree #f))
    (cond ((null? rest) (make-mapping comparator tree))
          ((null? (cdr rest)) 
           (error "mapping: a key without a value" (car rest)))
          ((lookup comparator tree (car rest)) (loop (cddr rest) tree))
          (else
           (loop (cddr rest)
                 (insert comparator tree (car rest) (cadr rest)))))))

;;> (mapping/ordered comparator key value ...)
;;> Like mapping, of keys in order.
(define mapping/ordered mapping)

;;> (mapping-unfold stop? mapper successor seed comparator)
;;> Return the mapping of the keys and values of (mapper seed), until (stop?
;;> seed).
(define (mapping-unfold stop? mapper successor seed comparator)
  (let loop ((seed seed) (tree #f))
    (if (stop? seed)
        (make-mapping comparator tree)
        (call-with-values (lambda () (mapper seed))
          (lambda (key value)
            (loop (successor seed)
                  (if (lookup comparator tree key)
                      tree
                      (insert comparator tree key value))))))))

;;> (mapping-unfold/ordered stop? mapper successor seed comparator)
;;> Like mapping-unfold, of keys in order.
(define mapping-unfold/ordered mapping-unfold)

;; -- predicates and accessors ------------------------------------------------

;;> (mapping-contains? mapping key)
;;> Has it an entry of KEY?
(define (mapping-contains? m key)
  (check 'mapping-contains? m)
  (if (lookup (mapping-comparator-of m) (mapping-tree m) key) #t #f))

;;> (mapping-empty? mapping)
;;> Has it no entries?
(define (mapping-empty? m)
  (check 'mapping-empty? m)
  (not (mapping-tree m)))

;;> (mapping-disjoint? a b)
;;> Have they no key in common?
(define (mapping-disjoint? a b)
  (check 'mapping-disjoint? a)
  (not (tree-intersection (mapping-comparator-of a)
                          (mapping-tree a) (mapping-tree b))))

;;> (mapping-ref mapping key [failure [success]])
;;> Return (success value) for the value of KEY; if there is none, (failure).
;;> (mapping-ref (mapping (make-default-comparator) 1 'a) 1) => a
(define (mapping-ref m key . rest)
  (check 'mapping-ref m)
  (let ((found (lookup (mapping-comparator-of m) (mapping-tree m) key)))
    (cond ((not found) ((option rest 0 (absent 'mapping-ref))))
          ((and (pair? rest) (pair? (cdr rest)))
           ((cadr rest) (node-value found)))
          (else (node-value found)))))

;;> (mapping-ref/default mapping key default)
;;> Return the value of KEY, or DEFAULT.
(define (mapping-ref/default m key default)
  (check 'mapping-ref/default m)
  (let ((found (lookup (mapping-comparator-of m) (mapping-tree m) key)))
    (if found (node-value found) default)))

;;> (mapping-key-comparator mapping)
;;> Return the comparator of the keys.
(define (mapping-key-comparator m)
  (check 'mapping-key-comparator m)
  (mapping-comparator-of m))

;; -- updaters ----------------------------------------------------------------

;; Change M by the entries of a list, each by (change present? tree key value).
(define (change-all who m entries change)
  (check who m)
  (let ((comparator (mapping-comparator-of m)))
    (let loop ((rest entries) (tree (mapping-tree m)))
      (cond ((null? rest) (with-tree m tree))
            ((null? (cdr rest))
             (error (string-append (symbol->string who)
                                   ": a key without a value")
                    (car rest)))
            (else
             (loop (cddr rest)
                   (change comparator tree (car rest) (cadr rest))))))))

;;> (mapping-adjoin mapping key value ...)
;;> Return the mapping with the entries whose keys it has not yet.
(define (mapping-adjoin m . entries)
  (change-all 'mapping-adjoin m entries
              (lambda (comparator tree key value)
                (if (lookup comparator tree key)
                    tree
                    (insert comparator tree key value)))))

;;> (mapping-adjoin! mapping key value ...)
;;> The same as mapping-adjoin.
(define mapping-adjoin! mapping-adjoin)

;;> (mapping-set mapping key value ...)
;;> Return the mapping with these entries.
;;> (mapping->alist (mapping-set (mapping (make-default-comparator)) 1 2)) =>
;;> ((1 . 2))
(define (mapping-set m . entries) (change-all 'mapping-set m entries insert))

;;> (mapping-set! mapping key value ...)
;;> The same as mapping-set.
(define mapping-set! mapping-set)

;;> (mapping-replace mapping key value)
;;> Return the mapping with another value for KEY, if it has one.
(define (mapping-replace m key value)
  (check 'mapping-replace m)
  (if (mapping-contains? m key) (mapping-set m key value) m))

;;> (mapping-replace! mapping key value)
;;> The same as mapping-replace.
(define mapping-replace! mapping-replace)

;;> (mapping-delete mapping key ...)
;;> Return the mapping without the entries of these keys.
(define (mapping-delete m . keys) (mapping-delete-all m keys))

;;> (mapping-delete! mapping key ...)
;;> The same as mapping-delete.
(define mapping-delete! mapping-delete)

;;> (mapping-delete-all mapping keys)
;;> Return the mapping without the entries of a list of keys.
(define (mapping-delete-all m keys)
  (check 'mapping-delete-all m)
  (let loop ((rest keys) (tree (mapping-tree m)))
    (if (null? rest)
        (with-tree m tree)
        (loop (cdr rest) (remove (mapping-comparator-of m) tree (car rest))))))

;;> (mapping-delete-all! mapping keys)
;;> The same as mapping-delete-all.
(define mapping-delete-all! mapping-delete-all)

;;> (mapping-intern mapping key failure)
;;> Return the mapping and the value of KEY; if there is none, with that of
;;> (failure).
(define (mapping-intern m key failure)
  (check 'mapping-intern m)
  (let ((found (lookup (mapping-comparator-of m) (mapping-tree m) key)))
    (if found
        (values m (node-value found))
        (let ((value (failure)))
          (values (mapping-set m key value) value)))))

;;> (mapping-intern! mapping key failure)
;;> The same as mapping-intern.
(define mapping-intern! mapping-intern)

;;> (mapping-update mapping key updater [failure [success]])
;;> Return the mapping with (updater (success value)) for KEY; where there is
;;> no
;;> value, with (updater (failure)).
(define (mapping-update m key updater . rest)
  (check 'mapping-update m)
  (mapping-set m key
               (updater (mapping-ref m key
                                     (option rest 0 (absent 'mapping-update))
                                     (option rest 1 self)))))

;;> (mapping-update! mapping key updater [failure [success]])
;;> The same as mapping-update.
(define mapping-update! mapping-update)

;;> (mapping-update/default mapping key updater default)
;;> Like mapping-update, with DEFAULT where there is no value.
(define (mapping-update/default m key updater default)
  (mapping-update m key updater (lambda () default)))

;;> (mapping-update!/default mapping key updater default)
;;> The same as mapping-update/default.
(define mapping-update!/default mapping-update/default)

;;> (mapping-pop mapping [failure])
;;> Return the mapping without its first entry, that key and value.
(define (mapping-pop m . rest)
  (check 'mapping-pop m)
  (let ((tree (mapping-tree m)))
    (if tree
        (let ((first (leftmost tree)))
          (values (with-tree m (without-leftmost tree))
                  (node-key first) (node-value first)))
        ((option rest 0 (lambda () (error "mapping-pop: an empty mapping")))))))

;;> (mapping-pop! mapping [failure])
;;> The same as mapping-pop.
(define mapping-pop! mapping-pop)

;;> (mapping-search mapping key failure success)
;;> Call (success key value update remove) or, if there is no entry, (failure
;;> insert
;;> ignore); (update key value obj), (remove obj), (insert value obj) and
;;> (ignore obj)
;;> answer the mapping so changed and OBJ.
(define (mapping-search m key failure success)
  (check 'mapping-search m)
  (let ((found (lookup (mapping-comparator-of m) (mapping-tree m) key)))
    (if found
        (success (node-key found) (node-value found)
                 (lambda (new-key value obj)
                   (values (mapping-set (mapping-delete m key) new-key value)
                           obj))
                 (lambda (obj) (values (mapping-delete m key) obj)))
        (failure (lambda (value obj) (values (mapping-set m key value) obj))
                 (lambda (obj) (values m obj))))))

;;> (mapping-search! mapping key failure success)
;;> The same as mapping-search.
(define mapping-search! mapping-search)

;; -- the whole mapping -------------------------------------------------------

;;> (mapping-size mapping)
;;> Return the number of entries.
(define (mapping-size m)
  (check 'mapping-size m)
  (size (mapping-tree m)))

;; The first node whose entry satisfies F, or #f.
(define (find-node f tree)
  (and tree
       (or (find-node f (node-left tree))
           (if (f (node-key tree) (node-value tree))
               tree
               (find-node f (node-right tree))))))

;;> (mapping-find f mapping failure)
;;> Return the key and value of the first entry that satisfies F; or (failure).
(define (mapping-find f m failure)
  (check 'mapping-find m)
  (let ((found (find-node f (mapping-tree m))))
    (if found
        (values (node-key found) (node-value found))
        (failure))))

;;> (mapping-count f mapping)
;;> Return how many entries satisfy F.
(define (mapping-count f m)
  (mapping-fold (lambda (key value n) (if (f key value) (+ n 1) n)) 0 m))

;;> (mapping-any? f mapping)
;;> Does an entry satisfy F?
(define (mapping-any? f m)
  (check 'mapping-any? m)
  (if (find-node f (mapping-tree m)) #t #f))

;;> (mapping-every? f mapping)
;;> Do all entries satisfy F?
(define (mapping-every? f m)
  (not (mapping-any? (lambda (key value) (not (f key value))) m)))

;;> (mapping-keys mapping)
;;> Return the list of the keys in order.
(define (mapping-keys m)
  (mapping-fold/reverse (lambda (key value out) (cons key out)) '() m))

;;> (mapping-values mapping)
;;> Return the list of the values in the order of the keys.
(define (mapping-values m)
  (mapping-fold/reverse (lambda (key value out) (cons value out)) '() m))

;;> (mapping-entries mapping)
;;> Return the lists of the keys and of the values.
(define (mapping-entries m) (values (mapping-keys m) (mapping-values m)))

;; -- mapping and folding -----------------------------------------------------

;;> (mapping-fold kons knil mapping)
;;> Fold (kons key value out) in the order of the keys.
(define (mapping-fold kons knil m)
  (check 'mapping-fold m)
  (tree-fold kons knil (mapping-tree m)))

;;> (mapping-fold/reverse kons knil mapping)
;;> Fold (kons key value out) from the last key on.
(define (mapping-fold/reverse kons knil m)
  (check 'mapping-fold/reverse m)
  (tree-fold-right kons knil (mapping-tree m)))

;;> (mapping-map f comparator mapping)
;;> Return the mapping of the keys and values that F gives.
(define (mapping-map f comparator m)
  (mapping-fold (lambda (key value out)
                  (call-with-values (lambda () (f key value))
                    (lambda (key value) (mapping-adjoin out key value))))
                (mapping comparator) m))

;;> (mapping-map/monotone f comparator mapping)
;;> Like mapping-map, where F keeps the order of keys.
(define mapping-map/monotone mapping-map)

;;> (mapping-map/monotone! f comparator mapping)
;;> The same as mapping-map/monotone.
(define mapping-map/monotone! mapping-map/monotone)

;;> (mapping-for-each f mapping)
;;> Call F with the keys and values in order.
(define (mapping-for-each f m)
  (mapping-fold (lambda (key value out) (f key value) out) #t m))

;;> (mapping-map->list f mapping)
;;> Return the list of F's values.
(define (mapping-map->list f m)
  (reverse (mapping-fold (lambda (key value out) (cons (f key value) out))
                         '() m)))

;;> (mapping-filter f mapping)
;;> Return the mapping of the entries that satisfy F.
(define (mapping-filter f m)
  (check 'mapping-filter m)
  (with-tree m (tree-filter f (mapping-tree m))))

;;> (mapping-filter! f mapping)
;;> The same as mapping-filter.
(define mapping-filter! mapping-filter)

;;> (mapping-remove f mapping)
;;> Return the mapping of the entries that do not satisfy F.
(define (mapping-remove f m)
  (mapping-filter (lambda (key value) (not (f key value))) m))

;;> (mapping-remove! f mapping)
;;> The same as mapping-remove.
(define mapping-remove! mapping-remove)

;;> (mapping-partition f mapping)
;;> Return the mappings of the entries that satisfy F and of the others.
(define (mapping-partition f m)
  (values (mapping-filter f m) (mapping-remove f m)))

;;> (mapping-partition! f mapping)
;;> The same as mapping-partition.
(define mapping-partition! mapping-partition)

;; -- copying and conversion --------------------------------------------------

;;> (mapping-copy mapping)
;;> Return the mapping.
(define (mapping-copy m)
  (check 'mapping-copy m)
  m)

;;> (mapping->alist mapping)
;;> Return the alist of the entries in order.
(define (mapping->alist m)
  (mapping-fold/reverse (lambda (key value out) (cons (cons key value) out))
                        '() m))

;; M with the entries of ALIST whose keys it has not yet.
(define (adjoin-alist who m alist)
  (check who m)
  (let ((comparator (mapping-comparator-of m)))
    (let loop ((rest alist) (tree (mapping-tree m)))
      (cond ((null? rest) (with-tree m tree))
            ((lookup comparator tree (caar rest)) (loop (cdr rest) tree))
            (else
             (loop (cdr rest)
                   (insert comparator tree (caar rest) (cdar rest))))))))

;;> (alist->mapping comparator alist)
;;> Return the mapping of ALIST; of entries of the same key the first one
;;> counts.
(define (alist->mapping comparator alist)
  (adjoin-alist 'alist->mapping (mapping comparator) alist))

;;> (alist->mapping! mapping alist)
;;> Return the mapping with those entries of ALIST whose keys it has not yet.
(define (alist->mapping! m alist) (adjoin-alist 'alist->mapping! m alist))

;;> (alist->mapping/ordered comparator alist)
;;> Like alist->mapping, of keys in order.
(define alist->mapping/ordered alist->mapping)

;;> (alist->mapping/ordered! mapping alist)
;;> Like alist->mapping!, of keys in order.
(define alist->mapping/ordered! alist->mapping!)

;; -- submappings -------------------------------------------------------------

;; Has B all entries of A, with the same values for COMPARATOR?
(define (submapping? comparator a b)
  (and (<= (mapping-size a) (mapping-size b))
       (mapping-every?
        (lambda (key value)
          (let ((found (lookup (mapping-comparator-of b) (mapping-tree b) key)))
            (and found (=? comparator value (node-value found)))))
        a)))

;; Is (holds? a b) true for all neighbours?
(define (chain holds? mappings)
  (or (null? mappings)
      (null? (cdr mappings))
      (and (holds? (car mappings) (cadr mappings))
           (chain holds? (cdr mappings)))))

;;> (mapping=? comparator mapping ...)
;;> Are all mappings the same, by COMPARATOR of values?
(define (mapping=? comparator . mappings)
  (chain (lambda (a b)
           (and (= (mapping-size a) (mapping-size b))
                (submapping? comparator a b)))
         mappings))

;;> (mapping<? comparator mapping ...)
;;> Is each mapping a part of the next and smaller?
(define (mapping<? comparator . mappings)
  (chain (lambda (a b)
           (and (< (mapping-size a) (mapping-size b))
                (submapping? comparator a b)))
         mappings))

;;> (mapping>? comparator mapping ...)
;;> Has each mapping the next as a part and is bigger?
(define (mapping>? comparator . mappings)
  (chain (lambda (a b)
           (and (> (mapping-size a) (mapping-size b))
                (submapping? comparator b a)))
         mappings))

;;> (mapping<=? comparator mapping ...)
;;> Is each mapping a part of the next?
(define (mapping<=? comparator . mappings)
  (chain (lambda (a b)
           (submapping? comparator a b))
         mappings))

;;> (mapping>=? comparator mapping ...)
;;> Has each mapping the next as a part?
(define (mapping>=? comparator . mappings)
  (chain (lambda (a b)
           (submapping? comparator b a))
         mappings))

;; -- set theory --------------------------------------------------------------

;; Fold (operate comparator a b) over the trees.
(define (combine who operate m more)
  (check who m)
  (let loop ((tree (mapping-tree m)) (rest more))
    (if (null? rest)
        (with-tree m tree)
        (begin
          (check who (car rest))
          (loop (operate (mapping-comparator-of m) tree
                         (mapping-tree (car rest)))
                (cdr rest))))))

(define (tree-xor comparator a b)
  (tree-union comparator (tree-difference comparator a b)
              (tree-difference comparator b a)))

;;> (mapping-union mapping ...)
;;> Return the mapping of all entries; of the same key the first one counts.
(define (mapping-union m . more)
  (combine 'mapping-union tree-union m more))

;;> (mapping-union! mapping ...)
;;> The same as mapping-union.
(define mapping-union! mapping-union)

;;> (mapping-intersection mapping ...)
;;> Return the entries of the first mapping whose keys all have.
(define (mapping-intersection m . more)
  (combine 'mapping-intersection tree-intersection m more))

;;> (mapping-intersection! mapping ...)
;;> The same as mapping-intersection.
(define mapping-intersection! mapping-intersection)

;;> (mapping-difference mapping ...)
;;> Return the entries of the first mapping whose keys no other one has.
(define (mapping-difference m . more)
  (combine 'mapping-difference tree-difference m more))

;;> (mapping-difference! mapping ...)
;;> The same as mapping-difference.
(define mapping-difference! mapping-difference)

;;> (mapping-xor mapping ...)
;;> Return the entries whose keys an odd number of mappings have, folded
;;> pairwise.
(define (mapping-xor m . more)
  (combine 'mapping-xor tree-xor m more))

;;> (mapping-xor! mapping ...)
;;> The same as mapping-xor.
(define mapping-xor! mapping-xor)

;; -- ordered mappings --------------------------------------------------------

(define (min-node who m)
  (check who m)
  (if (mapping-tree m)
      (leftmost (mapping-tree m))
      (error (string-append (symbol->string who) ": an empty mapping"))))

;;> (mapping-min-key mapping)
;;> Return the key of the first entry.
(define (mapping-min-key m)
  (node-key (min-node 'mapping-min-key m)))

;;> (mapping-min-value mapping)
;;> Return the value of the first entry.
(define (mapping-min-value m)
  (node-value (min-node 'mapping-min-value m)))

;;> (mapping-min-entry mapping)
;;> Return the key and value of the first entry.
(define (mapping-min-entry m)
  (let ((found (min-node 'mapping-min-entry m)))
    (values (node-key found) (node-value found))))

(define (max-node who m)
  (check who m)
  (if (mapping-tree m)
      (rightmost (mapping-tree m))
      (error (string-append (symbol->string who) ": an empty mapping"))))

;;> (mapping-max-key mapping)
;;> Return the key of the last entry.
(define (mapping-max-key m)
  (node-key (max-node 'mapping-max-key m)))

;;> (mapping-max-value mapping)
;;> Return the value of the last entry.
(define (mapping-max-value m)
  (node-value (max-node 'mapping-max-value m)))

;;> (mapping-max-entry mapping)
;;> Return the key and value of the last entry.
(define (mapping-max-entry m)
  (let ((found (max-node 'mapping-max-entry m)))
    (values (node-key found) (node-value found))))

;; The parts of M around KEY: (f below found above).
(define (around who m key f)
  (check who m)
  (call-with-values
      (lambda () (split (mapping-comparator-of m) (mapping-tree m) key))
    f))

(define (with-found found below above)
  (if found (join (node-key found) (node-value found) below above)
      (concatenate below above)))

;;> (mapping-key-predecessor mapping key failure)
;;> Return the greatest key below KEY; or (failure).
(define (mapping-key-predecessor m key failure)
  (around 'mapping-key-predecessor m key
          (lambda (below found above)
            (if below (node-key (rightmost below)) (failure)))))

;;> (mapping-key-successor mapping key failure)
;;> Return the least key above KEY; or (failure).
(define (mapping-key-successor m key failure)
  (around 'mapping-key-successor m key
          (lambda (below found above)
            (if above (node-key (leftmost above)) (failure)))))

;;> (mapping-range= mapping key)
;;> Return the entries of the key.
(define (mapping-range= m key)
  (around 'mapping-range= m key
          (lambda (below found above) (with-tree m (with-found found #f #f)))))

;;> (mapping-range=! mapping key)
;;> The same as mapping-range=.
(define mapping-range=! mapping-range=)

;;> (mapping-range< mapping key)
;;> Return the entries below the key.
(define (mapping-range< m key)
  (around 'mapping-range< m key
          (lambda (below found above) (with-tree m below))))

;;> (mapping-range<! mapping key)
;;> The same as mapping-range<.
(define mapping-range<! mapping-range<)

;;> (mapping-range> mapping key)
;;> Return the entries above the key.
(define (mapping-range> m key)
  (around 'mapping-range> m key
          (lambda (below found above) (with-tree m above))))

;;> (mapping-range>! mapping key)
;;> The same as mapping-range>.
(define mapping-range>! mapping-range>)

;;> (mapping-range<= mapping key)
;;> Return the entries not above the key.
(define (mapping-range<= m key)
  (around 'mapping-range<= m key
          (lambda (below found above) (with-tree m (with-found found below #f)))))

;;> (mapping-range<=! mapping key)
;;> The same as mapping-range<=.
(define mapping-range<=! mapping-range<=)

;;> (mapping-range>= mapping key)
;;> Return the entries not below the key.
(define (mapping-range>= m key)
  (around 'mapping-range>= m key
          (lambda (below found above) (with-tree m (with-found found #f above)))))

;;> (mapping-range>=! mapping key)
;;> The same as mapping-range>=.
(define mapping-range>=! mapping-range>=)

;;> (mapping-split mapping key)
;;> Return the mappings of the entries below KEY, not above, of KEY itself, not
;;> below,
;;> and above.
(define (mapping-split m key)
  (values (mapping-range< m key) (mapping-range<= m key)
          (mapping-range= m key) (mapping-range>= m key)
          (mapping-range> m key)))

;;> (mapping-catenate comparator a key value b)
;;> Return the mapping of A, an entry and B, whose keys must be in this order.
(define (mapping-catenate comparator a key value b)
  (make-mapping comparator
                (join key value (mapping-tree a) (mapping-tree b))))

;;> (mapping-catenate! comparator a key value b)
;;> The same as mapping-catenate.
(define mapping-catenate! mapping-catenate)

;; -- comparators -------------------------------------------------------------

;; The order of mappings: by their first entries, keys before values; one that
;; ends is smaller.
(define (before? comparator a b)
  (let loop ((a (mapping->alist a)) (b (mapping->alist b)))
    (cond ((null? b) #f)
          ((null? a) #t)
          (else
           (let ((o (order (entry-comparator comparator) (car a) (car b))))
             (if (= o 0) (loop (cdr a) (cdr b)) (< o 0)))))))

(define (entry-comparator comparator)
  (make-pair-comparator (make-default-comparator) comparator))

;;> (make-mapping-comparator comparator)
;;> Return a comparator of mappings, by the default order of keys and
;;> COMPARATOR of
;;> values.
(define (make-mapping-comparator comparator)
  (make-comparator mapping?
                   (lambda (a b) (mapping=? comparator a b))
                   (lambda (a b) (before? comparator a b))
                   (lambda (m)
                     (comparator-hash
                      (make-list-comparator (entry-comparator comparator)
                                            list? null? car cdr)
                      (mapping->alist m)))))

;;> mapping-comparator
;;> The comparator of mappings by the default comparator.
(define mapping-comparator (make-mapping-comparator (make-default-comparator)))
