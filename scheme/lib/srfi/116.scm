;;; SRFI 116, the body. Procedures that answer a part of a list walk it; those
;;; that build a new one work on a list of its elements, with SRFI 1.

;;> (ipair? object)
;;> (ipair a d)
;;> (icar ipair)
;;> (icdr ipair)
;;> Is OBJECT an immutable pair; make one; its two parts.
;;> (icar (ipair 1 2)) => 1
(define-record-type <ipair>
  (ipair a d)
  ipair?
  (a icar)
  (d icdr))

(define (name-error who text . irritants)
  (apply error (string-append (symbol->string who) ": " text) irritants))

;; -- conversion -----------------------------------------------------------------

;;> (list->ilist list)
;;> Return the immutable list of the elements; a dotted end is kept.
(define (list->ilist list)
  (let loop ((rest list) (reversed '()))
    (if (pair? rest)
        (loop (cdr rest) (cons (car rest) reversed))
        (ipairs-before reversed rest))))

;; The elements of a reversed list in front of an immutable one.
(define (ipairs-before reversed tail)
  (if (pair? reversed)
      (ipairs-before (cdr reversed) (ipair (car reversed) tail))
      tail))

;;> (ilist->list ilist)
;;> Return the list of the elements; a dotted end is kept.
(define (ilist->list list)
  (let loop ((rest list) (reversed '()))
    (if (ipair? rest)
        (loop (icdr rest) (cons (icar rest) reversed))
        (append-reverse reversed rest))))

;; The same of an argument that must be a proper list.
(define (elements who list)
  (if (not (proper-ilist? list)) (name-error who "not an immutable list" list))
  (ilist->list list))

(define (all-elements who lists)
  (map (lambda (list) (elements who list)) lists))

;;> (pair->ipair pair), (ipair->pair ipair)
;;> Return the pair of the other sort with the same two parts.
(define (pair->ipair pair) (ipair (car pair) (cdr pair)))
(define (ipair->pair pair) (cons (icar pair) (icdr pair)))

;; The tree with pairs by MAKE in place of those that the others take apart:
;; down the cdrs by a loop, down the cars by recursion.
(define (convert-tree object pair? car cdr make)
  (let convert ((object object))
    (let loop ((rest object) (reversed '()))
      (if (pair? rest)
          (loop (cdr rest) (cons (convert (car rest)) reversed))
          (fold make rest reversed)))))

(define (any-pair? object) (or (pair? object) (ipair? object)))
(define (any-car object) (if (pair? object) (car object) (icar object)))
(define (any-cdr object) (if (pair? object) (cdr object) (icdr object)))

;;> (tree->itree object), (itree->tree object)
;;> Return OBJECT with all its pairs, through pairs, of the other sort.
(define (tree->itree object) (convert-tree object pair? car cdr ipair))
(define (itree->tree object) (convert-tree object ipair? icar icdr cons))

;;> (gtree->itree object), (gtree->tree object)
;;> The same for trees of both sorts of pairs.
(define (gtree->itree object)
  (convert-tree object any-pair? any-car any-cdr ipair))
(define (gtree->tree object)
  (convert-tree object any-pair? any-car any-cdr cons))

;;> (iq datum ...)
;;> Return the immutable list of the data, lists in them immutable too.
;;> (icadr (iq a b)) => b
(define-syntax iq
  (syntax-rules ()
    ((_ . data) (tree->itree 'data))))

;; -- constructors ---------------------------------------------------------------

;;> (ilist element ...)
;;> Return the immutable list of the elements.
(define (ilist . elements) (list->ilist elements))

;;> (xipair d a)
;;> Return the pair of A and D, in that order.
(define (xipair d a) (ipair a d))

;;> (ipair* element ... tail)
;;> Return the elements in front of TAIL.
(define (ipair* first . rest)
  (let ((reversed (reverse (cons first rest))))
    (ipairs-before (cdr reversed) (car reversed))))

;;> (make-ilist n [fill])
;;> Return the list of N times FILL.
(define (make-ilist n . rest) (list->ilist (apply make-list n rest)))

;;> (ilist-tabulate n f)
;;> Return the list of (f 0) ... (f (- n 1)).
(define (ilist-tabulate n f) (list->ilist (list-tabulate n f)))

;;> (ilist-copy list)
;;> Return a list of the same elements.
(define (ilist-copy list) (list->ilist (ilist->list list)))

;;> (iiota count [start [step]])
;;> Return COUNT numbers from START (0) by STEP (1).
(define (iiota count . rest) (list->ilist (apply iota count rest)))

;; -- predicates -----------------------------------------------------------------

(define (end-of list)
  (if (ipair? list) (end-of (icdr list)) list))

;;> (proper-ilist? object)
;;> Is OBJECT an immutable list that ends in the empty list?
(define (proper-ilist? object) (null? (end-of object)))

;;> (ilist? object)
;;> The other name of proper-ilist?.
(define ilist? proper-ilist?)

;;> (dotted-ilist? object)
;;> Does OBJECT end in something else?
(define (dotted-ilist? object) (not (proper-ilist? object)))

;;> (not-ipair? object)
;;> Is OBJECT no immutable pair?
(define (not-ipair? object) (not (ipair? object)))

;;> (null-ilist? list)
;;> Is LIST, an immutable list, empty?
(define (null-ilist? list)
  (cond ((ipair? list) #f)
        ((null? list) #t)
        (else (name-error 'null-ilist? "not an immutable list" list))))

;;> (ilist= same? list ...)
;;> Have the lists the same elements?
(define (ilist= same? . lists)
  (apply list= same? (all-elements 'ilist= lists)))

;; -- selectors ------------------------------------------------------------------

;;> (icaar x) ... (icddddr x)
;;> The compositions of up to four icar and icdr.
(define (icaar x) (icar (icar x)))
(define (icadr x) (icar (icdr x)))
(define (icdar x) (icdr (icar x)))
(define (icddr x) (icdr (icdr x)))
(define (icaaar x) (icar (icaar x)))
(define (icaadr x) (icar (icadr x)))
(define (icadar x) (icar (icdar x)))
(define (icaddr x) (icar (icddr x)))
(define (icdaar x) (icdr (icaar x)))
(define (icdadr x) (icdr (icadr x)))
(define (icddar x) (icdr (icdar x)))
(define (icdddr x) (icdr (icddr x)))
(define (icaaaar x) (icar (icaaar x)))
(define (icaaadr x) (icar (icaadr x)))
(define (icaadar x) (icar (icadar x)))
(define (icaaddr x) (icar (icaddr x)))
(define (icadaar x) (icar (icdaar x)))
(define (icadadr x) (icar (icdadr x)))
(define (icaddar x) (icar (icddar x)))
(define (icadddr x) (icar (icdddr x)))
(define (icdaaar x) (icdr (icaaar x)))
(define (icdaadr x) (icdr (icaadr x)))
(define (icdadar x) (icdr (icadar x)))
(define (icdaddr x) (icdr (icaddr x)))
(define (icddaar x) (icdr (icdaar x)))
(define (icddadr x) (icdr (icdadr x)))
(define (icdddar x) (icdr (icddar x)))
(define (icddddr x) (icdr (icdddr x)))

(define (drop-from who list n)
  (cond ((= n 0) list)
        ((ipair? list) (drop-from who (icdr list) (- n 1)))
        (else (name-error who "the list is too short"))))

(define (nth who list n)
  (let ((tail (drop-from who list n)))
    (if (ipair? tail)
        (icar tail)
        (name-error who "the list is too short"))))

;;> (ilist-ref list n)
;;> Return the element with N in front of it.
(define (ilist-ref list n) (nth 'ilist-ref list n))

;;> (ifirst list) ... (itenth list)
;;> Return the element of that number.
(define (ifirst list) (nth 'ifirst list 0))
(define (isecond list) (nth 'isecond list 1))
(define (ithird list) (nth 'ithird list 2))
(define (ifourth list) (nth 'ifourth list 3))
(define (ififth list) (nth 'ififth list 4))
(define (isixth list) (nth 'isixth list 5))
(define (iseventh list) (nth 'iseventh list 6))
(define (ieighth list) (nth 'ieighth list 7))
(define (ininth list) (nth 'ininth list 8))
(define (itenth list) (nth 'itenth list 9))

;;> (icar+icdr ipair)
;;> Return both parts.
(define (icar+icdr pair) (values (icar pair) (icdr pair)))

;; Calls (f reversed rest) with the first n elements.
(define (split-from who list n f)
  (let loop ((rest list) (n n) (reversed '()))
    (cond ((= n 0) (f reversed rest))
          ((ipair? rest)
           (loop (icdr rest) (- n 1) (cons (icar rest) reversed)))
          (else (name-error who "the list is too short" list)))))

;;> (itake list n)
;;> Return the first N elements.
(define (itake list n)
  (split-from 'itake list n
    (lambda (reversed rest) (ipairs-before reversed '()))))

;;> (idrop list n)
;;> Return what is behind the first N elements.
(define (idrop list n) (drop-from 'idrop list n))

;;> (ilist-tail list n)
;;> The other name of idrop.
(define (ilist-tail list n) (drop-from 'ilist-tail list n))

;;> (isplit-at list n)
;;> Return itake's answer and idrop's.
(define (isplit-at list n)
  (split-from 'isplit-at list n
    (lambda (reversed rest) (values (ipairs-before reversed '()) rest))))

(define (pairs-in list)
  (let loop ((rest list) (n 0))
    (if (ipair? rest) (loop (icdr rest) (+ n 1)) n)))

;;> (itake-right list n)
;;> Return the last N elements, with what the list ends in.
(define (itake-right list n)
  (drop-from 'itake-right list (- (pairs-in list) n)))

;;> (idrop-right list n)
;;> Return the elements in front of the last N.
(define (idrop-right list n) (itake list (- (pairs-in list) n)))

;;> (last-ipair list)
;;> Return the last pair.
(define (last-ipair list)
  (if (ipair? (icdr list)) (last-ipair (icdr list)) list))

;;> (ilast list)
;;> Return the last element.
(define (ilast list) (icar (last-ipair list)))

;; -- miscellaneous --------------------------------------------------------------

;;> (ilength list)
;;> Return the number of elements.
(define (ilength list)
  (if (not (proper-ilist? list))
      (name-error 'ilength "not an immutable list" list))
  (pairs-in list))

;;> (iappend list ...)
;;> Return the elements of all lists; the last one is shared.
(define (iappend . lists) (iconcatenate-list lists))

;;> (iconcatenate lists)
;;> The same for an immutable list of lists.
(define (iconcatenate lists)
  (iconcatenate-list (elements 'iconcatenate lists)))

(define (iconcatenate-list lists)
  (if (null? lists)
      '()
      (let ((reversed (reverse lists)))
        (fold (lambda (list tail)
                (ipairs-before (reverse (elements 'iappend list)) tail))
              (car reversed)
              (cdr reversed)))))

;;> (ireverse list)
;;> Return the elements in reverse order.
(define (ireverse list) (iappend-reverse list '()))

;;> (iappend-reverse list tail)
;;> Return the elements in reverse order in front of TAIL.
(define (iappend-reverse list tail)
  (if (ipair? list)
      (iappend-reverse (icdr list) (ipair (icar list) tail))
      tail))

;;> (izip list list ...)
;;> Return the list of lists of corresponding elements.
(define (izip list . lists) (apply imap ilist list lists))

(define (column f lists) (imap f lists))

;;> (iunzip1 lists), (iunzip2 lists) ... (iunzip5 lists)
;;> Return as many lists: of the first elements, of the second and so on.
(define (iunzip1 lists) (column ifirst lists))
(define (iunzip2 lists)
  (values (column ifirst lists) (column isecond lists)))
(define (iunzip3 lists)
  (values (column ifirst lists) (column isecond lists)
          (column ithird lists)))
(define (iunzip4 lists)
  (values (column ifirst lists) (column isecond lists)
          (column ithird lists) (column ifourth lists)))
(define (iunzip5 lists)
  (values (column ifirst lists) (column isecond lists)
          (column ithird lists) (column ifourth lists)
          (column ififth lists)))

;;> (icount satisfied? list list ...)
;;> Count the corresponding elements that satisfy.
(define (icount satisfied? . lists)
  (apply count satisfied? (all-elements 'icount lists)))

;;> (iapply f object ... list)
;;> Call F with the objects and the elements of LIST.
(define (iapply f . arguments)
  (let ((reversed (reverse arguments)))
    (apply f (append-reverse (cdr reversed)
                             (elements 'iapply (car reversed))))))

;; -- folding, mapping -----------------------------------------------------------

;;> (imap f list list ...)
;;> Return the list of F's answers, as long as the shortest list.
(define (imap f . lists)
  (list->ilist (apply map f (all-elements 'imap lists))))

;;> (imap-in-order f list list ...)
;;> The same, from the left.
(define (imap-in-order f . lists)
  (list->ilist (apply map-in-order f (all-elements 'imap-in-order lists))))

;;> (ifor-each f list list ...)
;;> Call F with the elements, from the left.
(define (ifor-each f . lists)
  (apply for-each f (all-elements 'ifor-each lists)))

;;> (ifold kons knil list list ...)
;;> Combine from the left: (kons element accumulated).
(define (ifold kons knil . lists)
  (apply fold kons knil (all-elements 'ifold lists)))

;;> (ifold-right kons knil list list ...)
;;> Combine from the right: (kons element accumulated).
(define (ifold-right kons knil . lists)
  (apply fold-right kons knil (all-elements 'ifold-right lists)))

;; The lists of all nonempty tails, as long as the shortest list.
(define (tails lists)
  (let loop ((lists lists) (out '()))
    (if (every ipair? lists)
        (loop (map icdr lists) (cons lists out))
        out)))

(define (fold-tuples kons knil tuples)
  (fold (lambda (tuple out) (apply kons (append tuple (list out))))
        knil tuples))

;;> (ipair-fold kons knil list list ...)
;;> Combine the tails from the left: (kons list accumulated).
(define (ipair-fold kons knil . lists)
  (fold-tuples kons knil (reverse (tails lists))))

;;> (ipair-fold-right kons knil list list ...)
;;> Combine the tails from the right.
(define (ipair-fold-right kons knil . lists)
  (fold-tuples kons knil (tails lists)))

;;> (ipair-for-each f list list ...)
;;> Call F with each tail.
(define (ipair-for-each f . lists)
  (for-each (lambda (tuple) (apply f tuple)) (reverse (tails lists))))

;;> (ireduce f identity list)
;;> Combine the elements from the left; IDENTITY of none.
(define (ireduce f identity list) (reduce f identity (elements 'ireduce list)))

;;> (ireduce-right f identity list)
;;> Combine the elements from the right; IDENTITY of none.
(define (ireduce-right f identity list)
  (reduce-right f identity (elements 'ireduce-right list)))

;;> (iunfold stop? mapper successor seed [tail-maker])
;;> Return (mapper seed) of each seed until (stop? seed), in front of
;;> (tail-maker seed).
(define (iunfold stop? mapper successor seed . rest)
  (list->ilist (apply unfold stop? mapper successor seed rest)))

;;> (iunfold-right stop? mapper successor seed [tail])
;;> Return (mapper seed) of each seed until (stop? seed), the last one first, in
;;> front of TAIL.
(define (iunfold-right stop? mapper successor seed . rest)
  (let loop ((seed seed) (out (if (pair? rest) (car rest) '())))
    (if (stop? seed)
        out
        (loop (successor seed) (ipair (mapper seed) out)))))

;;> (iappend-map f list list ...)
;;> Append the lists that F answers.
(define (iappend-map f . lists)
  (iconcatenate-list (apply map f (all-elements 'iappend-map lists))))

;;> (ifilter-map f list list ...)
;;> Return the list of F's answers that are true.
(define (ifilter-map f . lists)
  (list->ilist (apply filter-map f (all-elements 'ifilter-map lists))))

;; -- filtering, searching -------------------------------------------------------

;;> (ifilter satisfied? list)
;;> Return the elements that satisfy.
(define (ifilter satisfied? list)
  (list->ilist (filter satisfied? (elements 'ifilter list))))

;;> (iremove satisfied? list)
;;> Return the elements that do not satisfy.
(define (iremove satisfied? list)
  (list->ilist (remove satisfied? (elements 'iremove list))))

;;> (ipartition satisfied? list)
;;> Return the elements that satisfy, and those that do not.
(define (ipartition satisfied? list)
  (call-with-values
      (lambda () (partition satisfied? (elements 'ipartition list)))
    (lambda (yes no) (values (list->ilist yes) (list->ilist no)))))

;;> (ifind-tail satisfied? list)
;;> Return the list from the first element on that satisfies, or #f.
(define (ifind-tail satisfied? list)
  (and (ipair? list)
       (if (satisfied? (icar list))
           list
           (ifind-tail satisfied? (icdr list)))))

;;> (ifind satisfied? list)
;;> Return the first element that satisfies, or #f.
(define (ifind satisfied? list)
  (let ((tail (ifind-tail satisfied? list)))
    (and tail (icar tail))))

;;> (imember object list [same?])
;;> Return the list from OBJECT on, by equal? or SAME?, or #f.
(define (imember object list . rest)
  (let ((same? (if (pair? rest) (car rest) equal?)))
    (ifind-tail (lambda (element) (same? object element)) list)))

;;> (imemq object list), (imemv object list)
;;> The same by eq? and by eqv?.
(define (imemq object list) (imember object list eq?))
(define (imemv object list) (imember object list eqv?))

;;> (iany satisfied? list list ...)
;;> Return the first true answer, or #f.
(define (iany satisfied? . lists)
  (apply any satisfied? (all-elements 'iany lists)))

;;> (ievery satisfied? list list ...)
;;> Return #f at the first false answer, else the last one.
(define (ievery satisfied? . lists)
  (apply every satisfied? (all-elements 'ievery lists)))

;;> (ilist-index satisfied? list list ...)
;;> Return the index of the first elements that satisfy, or #f.
(define (ilist-index satisfied? . lists)
  (apply list-index satisfied? (all-elements 'ilist-index lists)))

;; Calls (f reversed rest) where the first element does not satisfy.
(define (span-from satisfied? list f)
  (let loop ((rest list) (reversed '()))
    (if (and (ipair? rest) (satisfied? (icar rest)))
        (loop (icdr rest) (cons (icar rest) reversed))
        (f reversed rest))))

;;> (itake-while satisfied? list)
;;> Return the elements in front of the first that does not satisfy.
(define (itake-while satisfied? list)
  (span-from satisfied? list
    (lambda (reversed rest) (ipairs-before reversed '()))))

;;> (idrop-while satisfied? list)
;;> Return the list from the first element on that does not satisfy.
(define (idrop-while satisfied? list)
  (span-from satisfied? list (lambda (reversed rest) rest)))

;;> (ispan satisfied? list)
;;> Return itake-while's answer and idrop-while's.
(define (ispan satisfied? list)
  (span-from satisfied? list
    (lambda (reversed rest) (values (ipairs-before reversed '()) rest))))

;;> (ibreak satisfied? list)
;;> The same for elements that do not satisfy.
(define (ibreak satisfied? list)
  (ispan (lambda (element) (not (satisfied? element))) list))

;; -- deletion, association lists ------------------------------------------------

;;> (idelete object list [same?])
;;> Return the elements that are not OBJECT.
(define (idelete object list . rest)
  (list->ilist (apply delete object (elements 'idelete list) rest)))

;;> (idelete-duplicates list [same?])
;;> Return the elements without those that one before is the same as.
(define (idelete-duplicates list . rest)
  (list->ilist
   (apply delete-duplicates (elements 'idelete-duplicates list) rest)))

;;> (iassoc key alist [same?])
;;> Return the first pair of ALIST whose icar is KEY, or #f.
(define (iassoc key alist . rest)
  (let ((same? (if (pair? rest) (car rest) equal?)))
    (ifind (lambda (entry) (same? key (icar entry))) alist)))

;;> (iassq key alist), (iassv key alist)
;;> The same by eq? and by eqv?.
(define (iassq key alist) (iassoc key alist eq?))
(define (iassv key alist) (iassoc key alist eqv?))

;;> (ialist-cons key value alist)
;;> Return ALIST with an entry in front.
(define (ialist-cons key value alist) (ipair (ipair key value) alist))

;;> (ialist-delete key alist [same?])
;;> Return the entries whose key is not KEY.
(define (ialist-delete key alist . rest)
  (let ((same? (if (pair? rest) (car rest) equal?)))
    (iremove (lambda (entry) (same? key (icar entry))) alist)))

;;> (replace-icar ipair object), (replace-icdr ipair object)
;;> Return the pair with OBJECT in the place of a part.
(define (replace-icar pair object) (ipair object (icdr pair)))
(define (replace-icdr pair object) (ipair (icar pair) object))

;; -- comparators ----------------------------------------------------------------

;;> (make-ipair-comparator icar-comparator icdr-comparator)
;;> Return a comparator of pairs: by the icars, then by the icdrs.
(define (make-ipair-comparator first rest)
  (make-comparator
   (lambda (object)
     (and (ipair? object)
          (comparator-test-type first (icar object))
          (comparator-test-type rest (icdr object))))
   (lambda (a b)
     (and (=? first (icar a) (icar b)) (=? rest (icdr a) (icdr b))))
   (lambda (a b)
     (if (=? first (icar a) (icar b))
         (<? rest (icdr a) (icdr b))
         (<? first (icar a) (icar b))))
   (lambda (object)
     (modulo (+ (* 31 (comparator-hash first (icar object)))
                (comparator-hash rest (icdr object)))
             (hash-bound)))))

;; A comparator of what (part object) is.
(define (make-part-comparator comparator part)
  (make-comparator
   (lambda (object)
     (and (ipair? object) (comparator-test-type comparator (part object))))
   (lambda (a b) (=? comparator (part a) (part b)))
   (lambda (a b) (<? comparator (part a) (part b)))
   (lambda (object) (comparator-hash comparator (part object)))))

;;> (make-icar-comparator comparator), (make-icdr-comparator comparator)
;;> Return a comparator of pairs by one part alone.
(define (make-icar-comparator comparator)
  (make-part-comparator comparator icar))
(define (make-icdr-comparator comparator)
  (make-part-comparator comparator icdr))

;;> (make-ilist-comparator comparator)
;;> Return a comparator of lists, element by element.
(define (make-ilist-comparator comparator)
  (make-list-comparator comparator proper-ilist? null? icar icdr))

;;> (make-improper-ilist-comparator comparator)
;;> Return a comparator of lists that may be dotted; an element and an end are
;;> compared by COMPARATOR, the empty list is before a pair.
(define (make-improper-ilist-comparator comparator)
  (make-comparator
   (lambda (object) #t)
   (lambda (a b)
     (let loop ((a a) (b b))
       (if (and (ipair? a) (ipair? b))
           (and (=? comparator (icar a) (icar b)) (loop (icdr a) (icdr b)))
           (and (not (ipair? a)) (not (ipair? b)) (=? comparator a b)))))
   (lambda (a b)
     (let loop ((a a) (b b))
       (cond ((and (ipair? a) (ipair? b))
              (if (=? comparator (icar a) (icar b))
                  (loop (icdr a) (icdr b))
                  (<? comparator (icar a) (icar b))))
             ((ipair? b) (null? a))
             ((ipair? a) (not (null? b)))
             (else (<? comparator a b)))))
   (lambda (object)
     (let loop ((rest object) (hash 0))
       (if (ipair? rest)
           (loop (icdr rest)
                 (modulo (+ (* 31 hash)
                            (comparator-hash comparator (icar rest)))
                         (hash-bound)))
           (modulo (+ hash (comparator-hash comparator rest))
                   (hash-bound)))))))

;;> ipair-comparator, ilist-comparator
;;> The comparators of pairs and of lists by the default comparator.
(define ipair-comparator
  (make-ipair-comparator (make-default-comparator) (make-default-comparator)))
(define ilist-comparator (make-ilist-comparator (make-default-comparator)))
