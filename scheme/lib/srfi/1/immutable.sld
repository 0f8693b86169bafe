;; SRFI 1 without what alters lists. The pairs are the ordinary ones: with
;; set-car! of (scheme base) they can be altered all the same.
(define-library (srfi 1 immutable)
  (export
   ;; constructors
   cons list xcons cons* make-list list-tabulate list-copy circular-list iota
   ;; predicates
   pair? list? proper-list? circular-list? dotted-list? not-pair? null-list?
   list=
   ;; selectors
   car cdr caar cadr cdar cddr
   caaar caadr cadar caddr cdaar cdadr cddar cdddr
   caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr
   cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar cddddr
   list-ref first second third fourth fifth sixth seventh eighth ninth tenth
   car+cdr take drop take-right drop-right split-at last last-pair
   ;; miscellaneous
   length length+ apply append concatenate reverse append-reverse zip unzip1
   unzip2 unzip3 unzip4 unzip5 count
   ;; folding, mapping
   map for-each fold unfold pair-fold reduce fold-right unfold-right
   pair-fold-right reduce-right append-map pair-for-each filter-map
   map-in-order
   ;; filtering, searching
   filter partition remove find find-tail any every list-index member memv
   memq take-while drop-while span break
   ;; deletion, association lists
   delete delete-duplicates assoc assv assq alist-cons alist-copy
   alist-delete
   ;; sets
   lset<= lset= lset-adjoin lset-union lset-intersection lset-difference
   lset-xor lset-diff+intersection)
  (import (only (scheme base) list? apply) (srfi 1)))
