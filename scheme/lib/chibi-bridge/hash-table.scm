;;; Hash tables, the body.
;;;
;;; A table by eq?, eqv?, equal? or string=? is an engine table with extra #f.
;;; One by another equivalence maps serial numbers to entries (key . value); its
;;; extra is a vector (equivalence hash index next): index maps a hash to the
;;; serial numbers of the entries that have it.

(define missing (list 'missing))

;; A contract at the public doors: what lacks it is given tables by them.
(define-syntax check-table
  (syntax-rules ()
    ((_ who object)
     (if (not (%table? object)) (not-a-table who object)))))

(define (not-a-table who object)
  (error (string-append
          (symbol->string who)
          (if (and (pair? object) (pair? (car object)))
              ": an alist is no hash table (alist->hash-table makes one)"
              ": not a hash table"))
         object))

;; -- making -------------------------------------------------------------------

(define (kind-of equivalence)
  (cond ((eq? equivalence eq?) 'eq)
        ((or (eq? equivalence eqv?)
             (eq? equivalence char=?)
             (eq? equivalence symbol=?)
             (eq? equivalence boolean=?))
         'eqv)
        ((eq? equivalence equal?) 'equal)
        ((eq? equivalence string=?) 'string)
        (else #f)))

(define (hash-for equivalence)
  (cond ((eq? equivalence =) number-hash)
        ((eq? equivalence string-ci=?) string-ci-hash)
        ((eq? equivalence char-ci=?) char-ci-hash)
        (else (lambda (key) 0))))

(define (make-custom equivalence hash)
  (%make-table 'eqv (vector equivalence hash (%make-table 'equal) 0)))

(define (make-by equivalence hash)
  (let ((kind (kind-of equivalence)))
    (cond (kind (%make-table kind))
          ((procedure? equivalence)
           (make-custom equivalence (or hash (hash-for equivalence))))
          (else (error "make-hash-table: not an equivalence" equivalence)))))

;;> (make-hash-table [equivalence-or-comparator [hash] argument ...])
;;> Return a new table; the equivalence is equal? if left out.
;;> (hash-table? (make-hash-table string=?)) => #t
(define (make-hash-table . rest)
  (cond ((null? rest) (%make-table 'equal))
        ((comparator? (car rest))
         (make-by (comparator-equality-predicate (car rest))
                  (comparator-hash-function (car rest))))
        ((exact-integer? (car rest)) (%make-table 'equal))
        (else
         (make-by (car rest)
                  (and (pair? (cdr rest))
                       (procedure? (cadr rest))
                       (cadr rest))))))

;;> (hash-table comparator key value ...)
;;> Return a new table with these entries.
(define (hash-table comparator . rest)
  (let ((table (make-hash-table comparator)))
    (put-all! table rest)
    table))

(define (put-all! table rest)
  (if (pair? rest)
      (begin
        (if (null? (cdr rest))
            (error "hash table: a key without a value" (car rest)))
        (put! table (car rest) (cadr rest))
        (put-all! table (cddr rest)))))

;;> (hash-table-unfold stop? mapper successor seed comparator argument ...)
;;> Return a new table of the keys and values that MAPPER answers.
(define (hash-table-unfold stop? mapper successor seed . rest)
  (let ((table (apply make-hash-table rest)))
    (let loop ((seed seed))
      (if (stop? seed)
          table
          (begin
            (call-with-values (lambda () (mapper seed))
              (lambda (key value) (put! table key value)))
            (loop (successor seed)))))))

;;> (alist->hash-table alist [equivalence-or-comparator [hash]])
;;> Return a new table; of entries with one key the first counts.
(define (alist->hash-table alist . rest)
  (let ((table (apply make-hash-table rest)))
    (for-each (lambda (entry)
                (if (eq? (get table (car entry) missing) missing)
                    (put! table (car entry) (cdr entry))))
              alist)
    table))

;; -- access in general ------------------------------------------------------

;; The serial number of KEY's entry in a table with this extra, or #f.
(define (serial-of table extra key)
  (let ((same? (vector-ref extra 0)))
    (let loop ((serials (%table-ref (vector-ref extra 2)
                                    ((vector-ref extra 1) key) '())))
      (cond ((null? serials) #f)
            ((same? (car (%table-ref table (car serials) #f)) key)
             (car serials))
            (else (loop (cdr serials)))))))

(define (get table key default)
  (let ((extra (%table-extra table)))
    (if extra
        (let ((serial (serial-of table extra key)))
          (if serial (cdr (%table-ref table serial #f)) default))
        (%table-ref table key default))))

(define (put-custom! table extra key value)
  (let ((serial (serial-of table extra key)))
    (if serial
        (%table-set! table serial
                     (cons (car (%table-ref table serial #f)) value))
        (let* ((serial (vector-ref extra 3))
               (index (vector-ref extra 2))
               (hash ((vector-ref extra 1) key)))
          (%table-set! table serial (cons key value))
          (%table-set! index hash (cons serial (%table-ref index hash '())))
          (vector-set! extra 3 (+ serial 1))))))

(define (put! table key value)
  (let ((extra (%table-extra table)))
    (if extra
        (put-custom! table extra key value)
        (%table-set! table key value))))

(define (without serial serials)
  (if (eqv? serial (car serials))
      (cdr serials)
      (cons (car serials) (without serial (cdr serials)))))

(define (drop-serial! index hash serial)
  (let ((left (without serial (%table-ref index hash '()))))
    (if (null? left)
        (%table-delete! index hash)
        (%table-set! index hash left))))

;; Was there an entry to delete?
(define (drop! table key)
  (let ((extra (%table-extra table)))
    (if extra
        (let ((serial (serial-of table extra key)))
          (and serial
               (begin
                 (drop-serial! (vector-ref extra 2)
                               ((vector-ref extra 1) key)
                               serial)
                 (%table-delete! table serial)
                 #t)))
        (%table-delete! table key))))

;; Call (f key value accumulated) for the entries of now, in order.
(define (fold-entries f out table)
  (if (%table-extra table)
      (let ((entries (%table-values table)))
        (let loop ((i 0) (out out))
          (if (< i (vector-length entries))
              (let ((entry (vector-ref entries i)))
                (loop (+ i 1) (f (car entry) (cdr entry) out)))
              out)))
      (let ((keys (%table-keys table))
            (values (%table-values table)))
        (let loop ((i 0) (out out))
          (if (< i (vector-length keys))
              (loop (+ i 1) (f (vector-ref keys i) (vector-ref values i) out))
              out)))))

;; -- predicates -------------------------------------------------------------

;;> (hash-table? object)
;;> Is OBJECT a hash table?
(define (hash-table? object) (%table? object))

;;> (hash-table-contains? table key)
;;> Is there an entry for KEY?
(define (hash-table-contains? table key)
  (check-table 'hash-table-contains? table)
  (not (eq? (get table key missing) missing)))

;;> (hash-table-exists? table key)
;;> SRFI 69's name of hash-table-contains?.
(define hash-table-exists? hash-table-contains?)

;;> (hash-table-empty? table)
;;> Has TABLE no entries?
(define (hash-table-empty? table)
  (check-table 'hash-table-empty? table)
  (= (%table-count table) 0))

;;> (hash-table-mutable? table)
;;> May TABLE be changed?
(define (hash-table-mutable? table)
  (check-table 'hash-table-mutable? table)
  (%table-mutable? table))

;;> (hash-table=? value-comparator a b)
;;> Have the tables the same keys with the same values?
(define (hash-table=? comparator a b)
  (check-table 'hash-table=? a)
  (check-table 'hash-table=? b)
  (let ((same? (if (comparator? comparator)
                   (comparator-equality-predicate comparator)
                   comparator)))
    (and (= (%table-count a) (%table-count b))
         (fold-entries
          (lambda (key value same)
            (and same
                 (let ((other (get b key missing)))
                   (and (not (eq? other missing)) (same? value other)))))
          #t a))))

;; -- access -----------------------------------------------------------------

;;> (hash-table-ref table key [failure [success]])
;;> Return the value of KEY, through SUCCESS if given; where there is none, call
;;> FAILURE (or, if it is no procedure, return it).
;;> (hash-table-ref (hash-table equal? 'a 1) 'b (lambda () 2)) => 2
(define (hash-table-ref table key . rest)
  (check-table 'hash-table-ref table)
  (let ((value (get table key missing)))
    (cond ((not (eq? value missing))
           (if (and (pair? rest) (pair? (cdr rest)))
               ((cadr rest) value)
               value))
          ((null? rest) (error "hash-table-ref: no such key" key))
          ((procedure? (car rest)) ((car rest)))
          (else (car rest)))))

;;> (hash-table-ref/default table key default)
;;> Return the value of KEY, or DEFAULT.
(define (hash-table-ref/default table key default)
  (check-table 'hash-table-ref/default table)
  (get table key default))

;;> (hash-table-set! table key value ...)
;;> Make each value the value of the key in front of it.
(define (hash-table-set! table key value . more)
  (check-table 'hash-table-set! table)
  (put! table key value)
  (put-all! table more))

;;> (hash-table-delete! table key ...)
;;> Delete the keys; return how many there were.
(define (hash-table-delete! table . keys)
  (check-table 'hash-table-delete! table)
  (let loop ((keys keys) (n 0))
    (if (pair? keys)
        (loop (cdr keys) (if (drop! table (car keys)) (+ n 1) n))
        n)))

;;> (hash-table-intern! table key failure)
;;> Return the value of KEY; where there is none, what FAILURE answers, stored.
(define (hash-table-intern! table key failure)
  (check-table 'hash-table-intern! table)
  (let ((value (get table key missing)))
    (if (eq? value missing)
        (let ((new (failure)))
          (put! table key new)
          new)
        value)))

;;> (hash-table-update! table key updater [failure [success]])
;;> Replace the value of KEY by (updater value).
(define (hash-table-update! table key updater . rest)
  (check-table 'hash-table-update! table)
  (put! table key (updater (apply hash-table-ref table key rest))))

;;> (hash-table-update!/default table key updater default)
;;> Replace the value of KEY, or DEFAULT, by (updater value).
(define (hash-table-update!/default table key updater default)
  (check-table 'hash-table-update!/default table)
  (put! table key (updater (get table key default))))

;;> (hash-table-pop! table)
;;> Delete an entry; return its key and value.
(define (hash-table-pop! table)
  (check-table 'hash-table-pop! table)
  (let ((cursor (%table-cursor table 0)))
    (if (not cursor) (error "hash-table-pop!: the table is empty" table))
    (let* ((entry (%table-value-at table cursor))
           (custom? (%table-extra table))
           (key (if custom? (car entry) (%table-key-at table cursor))))
      (drop! table key)
      (values key (if custom? (cdr entry) entry)))))

;;> (hash-table-clear! table)
;;> Delete all entries.
(define (hash-table-clear! table)
  (check-table 'hash-table-clear! table)
  (let ((extra (%table-extra table)))
    (if extra (%table-clear! (vector-ref extra 2)))
    (%table-clear! table)))

;; -- the whole table --------------------------------------------------------

;;> (hash-table-size table)
;;> Return the number of entries.
(define (hash-table-size table)
  (check-table 'hash-table-size table)
  (%table-count table))

;;> (hash-table-keys table)
;;> Return the list of keys, in order of insertion.
(define (hash-table-keys table)
  (check-table 'hash-table-keys table)
  (if (%table-extra table)
      (reverse (fold-entries (lambda (key value out) (cons key out))
                             '() table))
      (vector->list (%table-keys table))))

;;> (hash-table-values table)
;;> Return the list of values, in the order of the keys.
(define (hash-table-values table)
  (check-table 'hash-table-values table)
  (if (%table-extra table)
      (reverse (fold-entries (lambda (key value out) (cons value out))
                             '() table))
      (vector->list (%table-values table))))

;;> (hash-table-entries table)
;;> Return the list of keys and the list of values.
(define (hash-table-entries table)
  (values (hash-table-keys table) (hash-table-values table)))

;;> (hash-table->alist table)
;;> Return the entries as an alist, in order of insertion.
(define (hash-table->alist table)
  (check-table 'hash-table->alist table)
  (reverse (fold-entries (lambda (key value out)
                           (cons (cons key value) out))
                         '() table)))

;; The table and the procedure of a call that gives them in either order.
(define (table-of a b) (if (%table? a) a b))
(define (procedure-of a b) (if (%table? a) b a))

(define (find-answer f entries)
  (and (pair? entries)
       (or (f (caar entries) (cdar entries))
           (find-answer f (cdr entries)))))

;;> (hash-table-find procedure table failure)
;;> Return the first true answer of (procedure key value), or call FAILURE.
(define (hash-table-find a b . rest)
  (check-table 'hash-table-find (table-of a b))
  (let* ((f (procedure-of a b))
         (found (find-answer f (hash-table->alist (table-of a b)))))
    (cond (found found)
          ((pair? rest) ((car rest)))
          (else #f))))

;;> (hash-table-count satisfied? table)
;;> Count the entries for which (satisfied? key value); of a table alone: all.
(define (hash-table-count a . rest)
  (check-table 'hash-table-count (if (null? rest) a (table-of a (car rest))))
  (if (null? rest)
      (%table-count a)
      (let ((f (procedure-of a (car rest))))
        (fold-entries (lambda (key value n) (if (f key value) (+ n 1) n))
                      0
                      (table-of a (car rest))))))

;;> (hash-table-walk table procedure)
;;> Call (procedure key value) for each entry.
(define (hash-table-walk a b)
  (check-table 'hash-table-walk (table-of a b))
  (let ((f (procedure-of a b)))
    (fold-entries (lambda (key value out) (f key value) out)
                  #f
                  (table-of a b))
    (if #f #f)))

;;> (hash-table-for-each procedure table)
;;> Call (procedure key value) for each entry.
(define hash-table-for-each hash-table-walk)

;;> (hash-table-map procedure comparator table)
;;> Return a new table of the same keys with (procedure value).
(define (hash-table-map f comparator table)
  (check-table 'hash-table-map table)
  (let ((new (make-hash-table comparator)))
    (fold-entries (lambda (key value out) (put! new key (f value)) out)
                  #f table)
    new))

;;> (hash-table-map! procedure table)
;;> Replace each value by (procedure key value).
(define (hash-table-map! a b)
  (check-table 'hash-table-map! (table-of a b))
  (let ((table (table-of a b))
        (f (procedure-of a b)))
    (hash-table-walk table
                     (lambda (key value) (put! table key (f key value))))))

;;> (hash-table-map->list procedure table)
;;> Return the list of (procedure key value).
(define (hash-table-map->list a b)
  (check-table 'hash-table-map->list (table-of a b))
  (let ((f (procedure-of a b)))
    (reverse (fold-entries (lambda (key value out) (cons (f key value) out))
                           '()
                           (table-of a b)))))

;;> (hash-table-fold procedure seed table)
;;> Combine the entries: (procedure key value accumulated). SRFI 69's order,
;;> (hash-table-fold table procedure seed), is taken too.
(define (hash-table-fold a b c)
  (check-table 'hash-table-fold (if (%table? a) a c))
  (if (%table? a)
      (fold-entries b c a)
      (fold-entries a b c)))

;;> (hash-table-prune! procedure table)
;;> Delete the entries for which (procedure key value).
(define (hash-table-prune! a b)
  (check-table 'hash-table-prune! (table-of a b))
  (let ((table (table-of a b))
        (f (procedure-of a b)))
    (hash-table-walk table
                     (lambda (key value)
                       (if (f key value) (drop! table key))))))

;; -- copies and sets --------------------------------------------------------

;;> (hash-table-copy table [mutable?])
;;> Return a copy of TABLE; it may be changed.
(define (hash-table-copy table . rest)
  (check-table 'hash-table-copy table)
  (let ((extra (%table-extra table)))
    (if extra
        (let ((new (hash-table-empty-copy table)))
          (fold-entries (lambda (key value out) (put! new key value) out)
                        #f table)
          new)
        (%table-copy table))))

;;> (hash-table-empty-copy table)
;;> Return a new table by the same equivalence.
(define (hash-table-empty-copy table)
  (check-table 'hash-table-empty-copy table)
  (let ((extra (%table-extra table)))
    (if extra
        (make-custom (vector-ref extra 0) (vector-ref extra 1))
        (%make-table
         (vector-ref #(eq eqv equal string) (%table-kind table))))))

;;> (hash-table-union! a b)
;;> Add to A the entries of B whose keys it lacks; return A.
(define (hash-table-union! a b)
  (check-table 'hash-table-union! a)
  (check-table 'hash-table-union! b)
  (hash-table-walk b
                   (lambda (key value)
                     (if (not (hash-table-contains? a key))
                         (put! a key value))))
  a)

;;> (hash-table-merge! a b)
;;> SRFI 69's name of hash-table-union!.
(define hash-table-merge! hash-table-union!)

;;> (hash-table-intersection! a b)
;;> Delete from A the keys that B lacks; return A.
(define (hash-table-intersection! a b)
  (check-table 'hash-table-intersection! a)
  (check-table 'hash-table-intersection! b)
  (hash-table-prune! (lambda (key value) (not (hash-table-contains? b key)))
                     a)
  a)

;;> (hash-table-difference! a b)
;;> Delete from A the keys of B; return A.
(define (hash-table-difference! a b)
  (check-table 'hash-table-difference! a)
  (check-table 'hash-table-difference! b)
  (hash-table-prune! (lambda (key value) (hash-table-contains? b key)) a)
  a)

;;> (hash-table-xor! a b)
;;> Make A hold the entries of A and B whose keys the other lacks; return A.
(define (hash-table-xor! a b)
  (check-table 'hash-table-xor! a)
  (check-table 'hash-table-xor! b)
  (hash-table-walk b
                   (lambda (key value)
                     (if (hash-table-contains? a key)
                         (drop! a key)
                         (put! a key value))))
  a)

;; -- hash functions ---------------------------------------------------------

(define (bounded hash rest)
  (if (pair? rest) (modulo hash (car rest)) hash))

;;> (hash object [bound])
;;> Return a hash of OBJECT by equal?.
(define (hash object . rest) (bounded (%table-hash 'equal object) rest))

;;> (hash-by-identity object [bound])
;;> Return a hash of OBJECT by eq?.
(define (hash-by-identity object . rest)
  (bounded (%table-hash 'eq object) rest))

;;> (hash-table-equivalence-function table)
;;> Return the equivalence that TABLE was made with.
(define (hash-table-equivalence-function table)
  (check-table 'hash-table-equivalence-function table)
  (let ((extra (%table-extra table)))
    (if extra
        (vector-ref extra 0)
        (case (%table-kind table)
          ((0) eq?) ((1) eqv?) ((2) equal?) (else string=?)))))

;;> (hash-table-hash-function table)
;;> Return the hash function of TABLE.
(define (hash-table-hash-function table)
  (check-table 'hash-table-hash-function table)
  (let ((extra (%table-extra table)))
    (cond (extra (vector-ref extra 1))
          ((= (%table-kind table) 3) string-hash)
          ((= (%table-kind table) 2) hash)
          (else hash-by-identity))))
