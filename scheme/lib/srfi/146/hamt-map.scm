;;; (srfi 146 hamt-map), the body.

(define-record-type persistent-hash-map
  (%make-phm data)
  phm?
  (data phm/data))

;;> (phm? object), (phm/data map)
;;> Is OBJECT a map? The trie that it consists of. (phm? 1) => #f

;;> (make-phm hash = [alist])
;;> Return a map with keys that HASH and = are for. (phm/get (make-phm values = '((1 . a))) 1) => a
(define make-phm
  (case-lambda
    ((hash =) (%make-phm (make-hamt = hash #t)))
    ((hash = alist) (phm/add-alist (make-phm hash =) alist))))

;;> (phm/count map), (phm/empty? map), (phm/mutable? map)
;;> How many keys it has; is it empty; can it be changed?
;;> (phm/count (make-phm values = '((1 . a)))) => 1
(define (phm/count phm) (hamt/count (phm/data phm)))
(define (phm/empty? phm) (hamt/empty? (phm/data phm)))
(define (phm/mutable? phm) (hamt/mutable? (phm/data phm)))

;;> (phm/mutable map), (phm/immutable map [replace])
;;> Return a map with the same keys that can, or cannot, be changed; REPLACE makes the
;;> values of the new one.
(define (phm/mutable phm) (%make-phm (hamt/mutable (phm/data phm))))
(define phm/immutable
  (case-lambda
    ((phm) (%make-phm (hamt/immutable (phm/data phm))))
    ((phm replace)
     (let ((out (phm/immutable phm)))
       (%make-phm
        (let loop ((keys (phm/keys phm)) (trie (phm/data out)))
          (if (null? keys)
              trie
              (loop (cdr keys) (hamt/replace trie (car keys) replace)))))))))

;;> (phm/get map key [default])
;;> Return the value of KEY, or DEFAULT, at first #f. (phm/get (make-phm values =) 1 'no) => no
(define phm/get
  (case-lambda
    ((phm key) (phm/get phm key #f))
    ((phm key default)
     (let ((value (hamt-fetch (phm/data phm) key)))
       (if (hamt-null? value) default value)))))

;;> (phm/contains? map key)
;;> Is KEY in MAP? (phm/contains? (make-phm values =) 1) => #f
(define (phm/contains? phm key)
  (not (hamt-null? (hamt-fetch (phm/data phm) key))))

;;> (phm/put map key value), (phm/put! map key value)
;;> Return the map with KEY. (phm/get (phm/put (make-phm values =) 1 'a) 1) => a
(define (phm/put phm key value) (%make-phm (hamt/put (phm/data phm) key value)))
(define (phm/put! phm key value)
  (hamt/put! (phm/data phm) key value)
  phm)

;;> (phm/remove map key), (phm/remove! map key)
;;> Return the map without KEY.
(define (phm/remove phm key)
  (%make-phm (hamt/replace (phm/data phm) key (lambda (old) hamt-null))))
(define (phm/remove! phm key)
  (hamt/replace! (phm/data phm) key (lambda (old) hamt-null))
  phm)

;;> (phm/replace map key replace), (phm/replace! map key replace)
;;> Return the map where KEY has the value that REPLACE makes of the old one; hamt-null
;;> stands for none.
(define (phm/replace phm key replace)
  (%make-phm (hamt/replace (phm/data phm) key replace)))
(define (phm/replace! phm key replace)
  (hamt/replace! (phm/data phm) key replace)
  phm)

;;> (phm/add-alist map alist), (phm/add-alist! map alist)
;;> Return the map with the keys of ALIST too.
(define (phm/add-alist phm alist)
  (if (null? alist)
      phm
      (phm/add-alist (phm/put phm (caar alist) (cdar alist)) (cdr alist))))
(define (phm/add-alist! phm alist)
  (for-each (lambda (entry) (phm/put! phm (car entry) (cdr entry))) alist)
  phm)

;;> (phm/for-each procedure map), (phm->alist map), (phm/keys map)
;;> Walk through the keys. (phm->alist (make-phm values = '((1 . a)))) => ((1 . a))
(define (phm/for-each procedure phm) (hamt/for-each procedure (phm/data phm)))
(define (phm->alist phm) (hamt->list (phm/data phm) cons))
(define (phm/keys phm)
  (hamt->list (phm/data phm) (lambda (key value) key)))
