;; Sets of exact integers, with chibi's names: trees of ranges and of bit sets.
(define-library (chibi iset)
  (export
   Integer-Set %make-iset make-iset iset? iset-contains?
   iset iset-copy list->iset list->iset! iset-map
   iset-adjoin iset-adjoin! iset-delete iset-delete!
   iset-union iset-union! iset-intersection iset-intersection!
   iset-difference iset-difference!
   iset-empty? iset-fold iset-fold-node iset-for-each iset-for-each-node
   iset->list iset-size iset= iset<= iset>=
   iset-cursor iset-cursor? iset-cursor-next iset-ref end-of-iset?)
  (import (chibi iset base) (chibi iset iterators) (chibi iset constructors)))
