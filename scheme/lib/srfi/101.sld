;; SRFI 101: immutable random-access lists, which take the names of ordinary ones;
;; (scheme rlist) has them under other names.
(define-library (srfi 101)
  (export
   quote
   pair?
   cons
   car
   cdr
   caar
   cadr
   cdar
   cddr
   caaar
   caadr
   cadar
   caddr
   cdaar
   cdadr
   cddar
   cdddr
   caaaar
   caaadr
   caadar
   caaddr
   cadaar
   cadadr
   caddar
   cadddr
   cdaaar
   cdaadr
   cdadar
   cdaddr
   cddaar
   cddadr
   cdddar
   cddddr
   null?
   list?
   list
   make-list
   length
   length<=?
   append
   reverse
   list-tail
   list-ref
   list-set
   list-ref/update
   map
   for-each
   random-access-list->linear-access-list
   linear-access-list->random-access-list)
  (import (rename (scheme rlist)
                  (rquote quote)
                  (rpair? pair?)
                  (rcons cons)
                  (rcar car)
                  (rcdr cdr)
                  (rcaar caar)
                  (rcadr cadr)
                  (rcdar cdar)
                  (rcddr cddr)
                  (rcaaar caaar)
                  (rcaadr caadr)
                  (rcadar cadar)
                  (rcaddr caddr)
                  (rcdaar cdaar)
                  (rcdadr cdadr)
                  (rcddar cddar)
                  (rcdddr cdddr)
                  (rcaaaar caaaar)
                  (rcaaadr caaadr)
                  (rcaadar caadar)
                  (rcaaddr caaddr)
                  (rcadaar cadaar)
                  (rcadadr cadadr)
                  (rcaddar caddar)
                  (rcadddr cadddr)
                  (rcdaaar cdaaar)
                  (rcdaadr cdaadr)
                  (rcdadar cdadar)
                  (rcdaddr cdaddr)
                  (rcddaar cddaar)
                  (rcddadr cddadr)
                  (rcdddar cdddar)
                  (rcddddr cddddr)
                  (rnull? null?)
                  (rlist? list?)
                  (rlist list)
                  (make-rlist make-list)
                  (rlength length)
                  (rlength<=? length<=?)
                  (rappend append)
                  (rreverse reverse)
                  (rlist-tail list-tail)
                  (rlist-ref list-ref)
                  (rlist-set list-set)
                  (rlist-ref/update list-ref/update)
                  (rmap map)
                  (rfor-each for-each)
                  (rlist->list random-access-list->linear-access-list)
                  (list->rlist linear-access-list->random-access-list))))
