;; SRFI 116: immutable lists. The empty immutable list is the empty list.
(define-library (srfi 116)
  (export
   ;; syntax
   iq
   ;; constructors
   ipair ilist xipair ipair* make-ilist ilist-tabulate ilist-copy iiota
   ;; predicates
   ipair? proper-ilist? ilist? dotted-ilist? not-ipair? null-ilist? ilist=
   ;; selectors
   icar icdr ilist-ref
   ifirst isecond ithird ifourth ififth isixth iseventh ieighth ininth itenth
   icaar icadr icdar icddr
   icaaar icaadr icadar icaddr icdaar icdadr icddar icdddr
   icaaaar icaaadr icaadar icaaddr icadaar icadadr icaddar icadddr
   icdaaar icdaadr icdadar icdaddr icddaar icddadr icdddar icddddr
   icar+icdr itake idrop ilist-tail itake-right idrop-right isplit-at
   ilast last-ipair
   ;; miscellaneous
   ilength iappend iconcatenate ireverse iappend-reverse izip
   iunzip1 iunzip2 iunzip3 iunzip4 iunzip5 icount iapply
   ;; folding, mapping
   imap ifor-each ifold iunfold ipair-fold ireduce
   ifold-right iunfold-right ipair-fold-right ireduce-right
   iappend-map ipair-for-each ifilter-map imap-in-order
   ;; filtering, searching
   ifilter ipartition iremove imember imemq imemv ifind ifind-tail iany ievery
   ilist-index itake-while idrop-while ispan ibreak
   ;; deletion
   idelete idelete-duplicates
   ;; association lists
   iassoc iassq iassv ialist-cons ialist-delete
   ;; replacement
   replace-icar replace-icdr
   ;; conversion
   pair->ipair ipair->pair list->ilist ilist->list tree->itree itree->tree
   gtree->itree gtree->tree
   ;; comparators
   ipair-comparator ilist-comparator make-ilist-comparator
   make-improper-ilist-comparator make-ipair-comparator make-icar-comparator
   make-icdr-comparator)
  (import (scheme base) (srfi 1) (srfi 128))
  (include "116.scm"))
