;;; SRFI 113, the body. A collection is a hash table from elements to entries
;;; (element . count), and its comparator; a set is one whose counts are 1. The
;;; procedures of sets and bags are made together where they do the same.

(define-record-type <collection>
  (make-collection bag? comparator table)
  collection?
  (bag? collection-bag?)
  (comparator comparator-of)
  (table table-of table-of!))

;;> (set? object), (bag? object)
;;> Is OBJECT a set, or a bag?
(define (set? object)
  (and (collection? object) (not (collection-bag? object))))
(define (bag? object)
  (and (collection? object) (collection-bag? object)))

(define (fail who text . irritants)
  (apply error (string-append (symbol->string who) ": " text) irritants))

(define (check who sort? object)
  (if (not (sort? object)) (fail who "not such a collection" object)))

(define (check-same who a b)
  (if (not (and (collection? b)
                (eq? (collection-bag? a) (collection-bag? b))))
      (fail who "not such a collection" b))
  (if (not (eq? (comparator-of a) (comparator-of b)))
      (fail who "the comparators differ" a b)))

;; -- entries --------------------------------------------------------------------

(define (empty-like collection)
  (empty (collection-bag? collection) (comparator-of collection)))

(define (empty bag? comparator)
  (make-collection bag? comparator (make-hash-table comparator)))

(define (entry collection element)
  (hash-table-ref/default (table-of collection) element #f))

(define (count-of collection element)
  (let ((entry (entry collection element)))
    (if entry (cdr entry) 0)))

;; Make the count of an element n; one that is there already is kept.
(define (set-count-of! collection element n)
  (let ((old (entry collection element)))
    (cond ((<= n 0)
           (if old (hash-table-delete! (table-of collection) element)))
          (old
           (hash-table-set! (table-of collection) (car old)
                            (cons (car old)
                                  (if (collection-bag? collection) n 1))))
          (else
           (hash-table-set! (table-of collection) element
                            (cons element
                                  (if (collection-bag? collection) n 1)))))
    collection))

(define (add! collection element n)
  (set-count-of! collection element (+ (count-of collection element) n)))

;; Combine the entries of now: (f element count accumulated).
(define (fold-entries f out collection)
  (hash-table-fold (lambda (key entry out) (f (car entry) (cdr entry) out))
                   out
                   (table-of collection)))

;; Combine the elements, each as often as it is in the collection.
(define (fold-elements f out collection)
  (fold-entries (lambda (element n out)
                  (if (= n 1)
                      (f element out)
                      (let loop ((n n) (out out))
                        (if (= n 0) out (loop (- n 1) (f element out))))))
                out collection))

(define (copy collection)
  (make-collection (collection-bag? collection)
                   (comparator-of collection)
                   (hash-table-copy (table-of collection) #t)))

;; -- constructors ---------------------------------------------------------------

(define (adjoin-all! collection elements)
  (for-each (lambda (element) (add! collection element 1)) elements)
  collection)

;;> (set comparator element ...), (bag comparator element ...)
;;> Return a new set or bag of the elements.
;;> (set-size (set (make-default-comparator) 1 2 1)) => 2
(define (set comparator . elements)
  (adjoin-all! (empty #f comparator) elements))
(define (bag comparator . elements)
  (adjoin-all! (empty #t comparator) elements))

(define (unfold collection stop? mapper successor seed)
  (let loop ((seed seed))
    (if (stop? seed)
        collection
        (begin
          (add! collection (mapper seed) 1)
          (loop (successor seed))))))

;;> (set-unfold stop? mapper successor seed comparator), bag-unfold
;;> Return a new set or bag of (mapper seed) of each seed until (stop? seed).
(define (set-unfold stop? mapper successor seed comparator)
  (unfold (empty #f comparator) stop? mapper successor seed))
(define (bag-unfold stop? mapper successor seed comparator)
  (unfold (empty #t comparator) stop? mapper successor seed))

;;> (list->set comparator list), (list->bag comparator list)
;;> Return a new set or bag of the elements of LIST.
(define (list->set comparator list)
  (adjoin-all! (empty #f comparator) list))
(define (list->bag comparator list)
  (adjoin-all! (empty #t comparator) list))

;;> (list->set! set list), (list->bag! bag list)
;;> Add the elements of LIST; return the collection.
(define (list->set! set list)
  (check 'list->set! set? set)
  (adjoin-all! set list))
(define (list->bag! bag list)
  (check 'list->bag! bag? bag)
  (adjoin-all! bag list))

;; -- procedures of both ---------------------------------------------------------

;; Define NAME for sets and for bags: (f who collection argument ...) after a
;; check of the collection, which is the first argument.
(define-syntax define-both
  (syntax-rules ()
    ((_ f set-name bag-name)
     (begin
       (define (set-name collection . rest)
         (check 'set-name set? collection)
         (apply f 'set-name collection rest))
       (define (bag-name collection . rest)
         (check 'bag-name bag? collection)
         (apply f 'bag-name collection rest))))))

;; The same, with the collection as the second argument, behind a procedure.
(define-syntax define-both/procedure
  (syntax-rules ()
    ((_ f set-name bag-name)
     (begin
       (define (set-name procedure collection)
         (check 'set-name set? collection)
         (f 'set-name procedure collection))
       (define (bag-name procedure collection)
         (check 'bag-name bag? collection)
         (f 'bag-name procedure collection))))))

;;> (set-contains? set element), (bag-contains? bag element)
;;> Is ELEMENT in the collection?
(define (contains? who collection element)
  (if (entry collection element) #t #f))
(define-both contains? set-contains? bag-contains?)

;;> (set-empty? set), (bag-empty? bag)
;;> Has the collection no elements?
(define (none? who collection) (hash-table-empty? (table-of collection)))
(define-both none? set-empty? bag-empty?)

;;> (set-disjoint? a b), (bag-disjoint? a b)
;;> Have the collections no element in common?
(define (disjoint? who a b)
  (check-same who a b)
  (fold-entries (lambda (element n out) (and out (not (entry b element))))
                #t a))
(define-both disjoint? set-disjoint? bag-disjoint?)

;;> (set-member set element default), (bag-member bag element default)
;;> Return the element that is the same as ELEMENT, or DEFAULT.
(define (member-of who collection element default)
  (let ((entry (entry collection element)))
    (if entry (car entry) default)))
(define-both member-of set-member bag-member)

;;> (set-element-comparator set), (bag-element-comparator bag)
;;> Return the comparator of the elements.
(define (element-comparator who collection) (comparator-of collection))
(define-both element-comparator set-element-comparator bag-element-comparator)

;;> (set-adjoin! set element ...), (bag-adjoin! bag element ...)
;;> Add the elements that are not there (bags: all); set-adjoin and bag-adjoin
;;> do that to a copy, which they return.
(define (adjoin! who collection . elements) (adjoin-all! collection elements))
(define (adjoin who collection . elements)
  (adjoin-all! (copy collection) elements))
(define-both adjoin! set-adjoin! bag-adjoin!)
(define-both adjoin set-adjoin bag-adjoin)

;;> (set-replace! set element), (bag-replace! bag element)
;;> Put ELEMENT in the place of the one that is the same, if there is one;
;;> set-replace and bag-replace do that to a copy.
(define (replace! who collection element)
  (let ((old (entry collection element)))
    (if old
        (begin
          (hash-table-delete! (table-of collection) element)
          (set-count-of! collection element (cdr old))))
    collection))
(define (replace who collection element)
  (replace! who (copy collection) element))
(define-both replace! set-replace! bag-replace!)
(define-both replace set-replace bag-replace)

(define (delete-list! collection elements)
  (for-each (lambda (element) (add! collection element -1)) elements)
  collection)

;;> (set-delete! set element ...), (bag-delete! bag element ...)
;;> Take the elements away, once each; set-delete and bag-delete from a copy.
(define (delete! who collection . elements) (delete-list! collection elements))
(define (delete who collection . elements)
  (delete-list! (copy collection) elements))
(define-both delete! set-delete! bag-delete!)
(define-both delete set-delete bag-delete)

;;> (set-delete-all! set elements), (bag-delete-all! bag elements)
;;> The same for a list of elements; set-delete-all and bag-delete-all copy.
(define (delete-all! who collection elements)
  (delete-list! collection elements))
(define (delete-all who collection elements)
  (delete-list! (copy collection) elements))
(define-both delete-all! set-delete-all! bag-delete-all!)
(define-both delete-all set-delete-all bag-delete-all)

;;> (set-search! set element failure success), (bag-search! ...)
;;> Call (failure insert ignore), or (success found update remove) in tail
;;> position: (insert object), (ignore object), (update new object) and (remove
;;> object) do what they say; return the collection and OBJECT.
(define (search! who collection element failure success)
  (let ((old (entry collection element)))
    (if old
        (success (car old)
                 (lambda (new object)
                   (hash-table-delete! (table-of collection) element)
                   (add! collection new (cdr old))
                   (values collection object))
                 (lambda (object)
                   (add! collection element -1)
                   (values collection object)))
        (failure (lambda (object)
                   (add! collection element 1)
                   (values collection object))
                 (lambda (object) (values collection object))))))
(define-both search! set-search! bag-search!)

;;> (set-size set), (bag-size bag)
;;> Return the number of elements.
(define (size who collection)
  (if (collection-bag? collection)
      (fold-entries (lambda (element n sum) (+ n sum)) 0 collection)
      (hash-table-size (table-of collection))))
(define-both size set-size bag-size)

;; -- searching, mapping ---------------------------------------------------------

(define (find-element satisfied? collection failure)
  (let loop ((rest (hash-table-values (table-of collection))))
    (cond ((null? rest) (failure))
          ((satisfied? (caar rest)) (caar rest))
          (else (loop (cdr rest))))))

;;> (set-find satisfied? set failure), (bag-find satisfied? bag failure)
;;> Return an element that satisfies, or what FAILURE answers.
(define (set-find satisfied? set failure)
  (check 'set-find set? set)
  (find-element satisfied? set failure))
(define (bag-find satisfied? bag failure)
  (check 'bag-find bag? bag)
  (find-element satisfied? bag failure))

;;> (set-count satisfied? set), (bag-count satisfied? bag)
;;> Count the elements that satisfy.
(define (count who satisfied? collection)
  (fold-entries (lambda (element n sum)
                  (if (satisfied? element) (+ n sum) sum))
                0 collection))
(define-both/procedure count set-count bag-count)

;;> (set-any? satisfied? set), (bag-any? satisfied? bag)
;;> Does an element satisfy?
(define (any-element? who satisfied? collection)
  (let ((none (list 'none)))
    (not (eq? none (find-element satisfied? collection (lambda () none))))))
(define-both/procedure any-element? set-any? bag-any?)

;;> (set-every? satisfied? set), (bag-every? satisfied? bag)
;;> Do all elements satisfy?
(define (every-element? who satisfied? collection)
  (not (any-element? who
                     (lambda (element) (not (satisfied? element)))
                     collection)))
(define-both/procedure every-element? set-every? bag-every?)

(define (map-into new f collection)
  (fold-entries (lambda (element n out) (add! out (f element) n))
                new collection))

;;> (set-map comparator f set), (bag-map comparator f bag)
;;> Return a new collection of what F answers for the elements.
(define (set-map comparator f set)
  (check 'set-map set? set)
  (map-into (empty #f comparator) f set))
(define (bag-map comparator f bag)
  (check 'bag-map bag? bag)
  (map-into (empty #t comparator) f bag))

;;> (set-for-each f set), (bag-for-each f bag)
;;> Call F with each element.
(define (for-each-element who f collection)
  (fold-elements (lambda (element out) (f element) out) #f collection)
  (if #f #f))
(define-both/procedure for-each-element set-for-each bag-for-each)

;;> (set-fold kons knil set), (bag-fold kons knil bag)
;;> Combine the elements: (kons element accumulated).
(define (set-fold kons knil set)
  (check 'set-fold set? set)
  (fold-elements kons knil set))
(define (bag-fold kons knil bag)
  (check 'bag-fold bag? bag)
  (fold-elements kons knil bag))

;; Calls (f yes no) with new collections of what satisfies and what does not.
(define (split satisfied? collection f)
  (let ((yes (empty-like collection))
        (no (empty-like collection)))
    (fold-entries (lambda (element n out)
                    (set-count-of! (if (satisfied? element) yes no) element n)
                    out)
                  #f collection)
    (f yes no)))

(define (yes-part yes no) yes)
(define (no-part yes no) no)

;; Make the elements of TO those of FROM.
(define (become! to from)
  (table-of! to (table-of from))
  to)

;;> (set-filter satisfied? set), bag-filter; with ! in place
;;> Return the elements that satisfy.
(define (filtered who satisfied? collection)
  (split satisfied? collection yes-part))
(define (filter! who satisfied? collection)
  (become! collection (filtered who satisfied? collection)))
(define-both/procedure filtered set-filter bag-filter)
(define-both/procedure filter! set-filter! bag-filter!)

;;> (set-remove satisfied? set), bag-remove; with ! in place
;;> Return the elements that do not satisfy.
(define (removed who satisfied? collection)
  (split satisfied? collection no-part))
(define (remove! who satisfied? collection)
  (become! collection (removed who satisfied? collection)))
(define-both/procedure removed set-remove bag-remove)
(define-both/procedure remove! set-remove! bag-remove!)

;;> (set-partition satisfied? set), bag-partition; with ! in place
;;> Return the elements that satisfy, and those that do not.
(define (partition who satisfied? collection)
  (split satisfied? collection values))
(define (partition! who satisfied? collection)
  (split satisfied? collection
         (lambda (yes no) (values (become! collection yes) no))))
(define-both/procedure partition set-partition bag-partition)
(define-both/procedure partition! set-partition! bag-partition!)

;;> (set-copy set), (bag-copy bag)
;;> Return a new collection of the same elements.
(define (copied who collection) (copy collection))
(define-both copied set-copy bag-copy)

;;> (set->list set), (bag->list bag)
;;> Return the list of the elements.
(define (->list who collection)
  (reverse (fold-elements cons '() collection)))
(define-both ->list set->list bag->list)

;; -- subsets --------------------------------------------------------------------

;; Is no element more often in A than in B?
(define (part? a b)
  (fold-entries (lambda (element n out)
                  (and out (<= n (count-of b element))))
                #t a))

(define (in-pairs? who related? collections)
  (let loop ((rest collections))
    (or (null? (cdr rest))
        (begin
          (check-same who (car rest) (cadr rest))
          (and (related? (car rest) (cadr rest))
               (loop (cdr rest)))))))

(define (relation related?)
  (lambda (who . collections) (in-pairs? who related? collections)))

;;> (set=? set ...), set<? set>? set<=? set>=?, and the same of bags
;;> Are the collections the same, or each a (proper) part of the next one?
(define same? (relation (lambda (a b) (and (part? a b) (part? b a)))))
(define less? (relation (lambda (a b) (and (part? a b) (not (part? b a))))))
(define greater?
  (relation (lambda (a b) (and (part? b a) (not (part? a b))))))
(define not-greater? (relation part?))
(define not-less? (relation (lambda (a b) (part? b a))))
(define-both same? set=? bag=?)
(define-both less? set<? bag<?)
(define-both greater? set>? bag>?)
(define-both not-greater? set<=? bag<=?)
(define-both not-less? set>=? bag>=?)

;; -- theory ---------------------------------------------------------------------

;; Make the count of each element of A or B in A what (f count-in-a count-in-b)
;; says.
(define (combine! f a b)
  (let ((only-in-b (fold-entries (lambda (element n out)
                                   (if (entry a element)
                                       out
                                       (cons (cons element n) out)))
                                 '() b)))
    (fold-entries (lambda (element n out)
                    (set-count-of! a element (f n (count-of b element)))
                    out)
                  #f a)
    (for-each (lambda (pair) (set-count-of! a (car pair) (f 0 (cdr pair))))
              (reverse only-in-b))
    a))

;; The procedures of any number of collections, in place and to a copy.
(define (in-place f)
  (lambda (who first . rest)
    (for-each (lambda (other) (check-same who first other)) rest)
    (for-each (lambda (other) (combine! f first other)) rest)
    first))
(define (to-copy f)
  (let ((f! (in-place f)))
    (lambda (who first . rest) (apply f! who (copy first) rest))))

(define (less-b a b) (- a b))
(define (difference-of a b) (abs (- a b)))

;;> (set-union set ...), (bag-union bag ...); with ! in the first
;;> Return what is in any of the collections, of bags as often as in the one that
;;> has most of it.
(define union (to-copy max))
(define union! (in-place max))
(define-both union set-union bag-union)
(define-both union! set-union! bag-union!)

;;> (set-intersection set ...), (bag-intersection bag ...); with ! in the first
;;> Return what is in all of the collections, of bags as often as in the one that
;;> has least of it.
(define intersection (to-copy min))
(define intersection! (in-place min))
(define-both intersection set-intersection bag-intersection)
(define-both intersection! set-intersection! bag-intersection!)

;;> (set-difference set ...), (bag-difference bag ...); with ! in the first
;;> Return what is in the first collection without what is in the others.
(define difference (to-copy less-b))
(define difference! (in-place less-b))
(define-both difference set-difference bag-difference)
(define-both difference! set-difference! bag-difference!)

;;> (set-xor a b), (bag-xor a b); with ! in the first
;;> Return what is in one of both, of bags by how much more it is.
(define xor (to-copy difference-of))
(define xor! (in-place difference-of))
(define-both xor set-xor bag-xor)
(define-both xor! set-xor! bag-xor!)

;; -- bags -----------------------------------------------------------------------

(define sum-of (to-copy +))
(define sum-of! (in-place +))

;;> (bag-sum bag ...), (bag-sum! bag ...)
;;> Return what is in the bags, as often as in all of them together.
(define (bag-sum bag . bags)
  (check 'bag-sum bag? bag)
  (apply sum-of 'bag-sum bag bags))
(define (bag-sum! bag . bags)
  (check 'bag-sum! bag? bag)
  (apply sum-of! 'bag-sum! bag bags))

(define (multiply! n bag)
  (if (not (and (exact-integer? n) (>= n 0)))
      (fail 'bag-product "not an exact nonnegative integer" n))
  (combine! (lambda (a b) (* n a)) bag (empty-like bag)))

;;> (bag-product n bag), (bag-product! n bag)
;;> Return the bag with each element N times as often.
(define (bag-product n bag)
  (check 'bag-product bag? bag)
  (multiply! n (copy bag)))
(define (bag-product! n bag)
  (check 'bag-product! bag? bag)
  (multiply! n bag))

;;> (bag-unique-size bag)
;;> Return the number of different elements.
(define (bag-unique-size bag)
  (check 'bag-unique-size bag? bag)
  (hash-table-size (table-of bag)))

;;> (bag-element-count bag element)
;;> Return how often ELEMENT is in BAG.
(define (bag-element-count bag element)
  (check 'bag-element-count bag? bag)
  (count-of bag element))

;;> (bag-for-each-unique f bag)
;;> Call (f element count) for the different elements.
(define (bag-for-each-unique f bag)
  (check 'bag-for-each-unique bag? bag)
  (fold-entries (lambda (element n out) (f element n) out) #f bag)
  (if #f #f))

;;> (bag-fold-unique kons knil bag)
;;> Combine the different elements: (kons element count accumulated).
(define (bag-fold-unique kons knil bag)
  (check 'bag-fold-unique bag? bag)
  (fold-entries kons knil bag))

;;> (bag-increment! bag element n), (bag-decrement! bag element n)
;;> Add ELEMENT N times, or take it away as often; return BAG.
(define (bag-increment! bag element n)
  (check 'bag-increment! bag? bag)
  (add! bag element n))
(define (bag-decrement! bag element n)
  (check 'bag-decrement! bag? bag)
  (add! bag element (- n)))

;;> (bag->set bag), (set->bag set)
;;> Return the set of what is in BAG, the bag of what is in SET.
(define (bag->set bag)
  (check 'bag->set bag? bag)
  (map-into (empty #f (comparator-of bag)) (lambda (element) element) bag))
(define (set->bag set)
  (check 'set->bag set? set)
  (map-into (empty #t (comparator-of set)) (lambda (element) element) set))

;;> (set->bag! bag set)
;;> Add the elements of SET to BAG; return it.
(define (set->bag! bag set)
  (check 'set->bag! bag? bag)
  (check 'set->bag! set? set)
  (if (not (eq? (comparator-of bag) (comparator-of set)))
      (fail 'set->bag! "the comparators differ" bag set))
  (map-into bag (lambda (element) element) set))

;;> (bag->alist bag)
;;> Return the alist of the elements and how often they are in BAG.
(define (bag->alist bag)
  (check 'bag->alist bag? bag)
  (reverse (fold-entries (lambda (element n out) (cons (cons element n) out))
                         '() bag)))

;;> (alist->bag comparator alist)
;;> Return the bag of the keys of ALIST, as often as its values say.
(define (alist->bag comparator alist)
  (let ((bag (empty #t comparator)))
    (for-each (lambda (pair) (add! bag (car pair) (cdr pair))) alist)
    bag))

;; -- comparators ----------------------------------------------------------------

(define (hash-of collection)
  (fold-entries
   (lambda (element n hash)
     (modulo (+ hash (* n (comparator-hash (comparator-of collection) element)))
             (hash-bound)))
   (hash-salt) collection))

;;> set-comparator, bag-comparator
;;> The comparators of sets and of bags; they have no order.
(define set-comparator
  (make-comparator set? (lambda (a b) (set=? a b)) #f hash-of))
(define bag-comparator
  (make-comparator bag? (lambda (a b) (bag=? a b)) #f hash-of))
