;; R7RS-large: random-access lists, those of (srfi 101) under names of their own.
(define-library (scheme rlist)
  (export
   rquote rpair? rcons rcar rcdr rcaar rcadr rcdar rcddr rcaaar rcaadr rcadar
   rcaddr rcdaar rcdadr rcddar rcdddr rcaaaar rcaaadr rcaadar rcaaddr rcadaar
   rcadadr rcaddar rcadddr rcdaaar rcdaadr rcdadar rcdaddr rcddaar rcddadr
   rcdddar rcddddr rnull? rlist? rlist make-rlist rlength rlength<=? rappend
   rreverse rlist-tail rlist-ref rlist-set rlist-ref/update rmap rfor-each
   rlist->list list->rlist)
  (import (scheme base))
  (include "rlist.scm"))
