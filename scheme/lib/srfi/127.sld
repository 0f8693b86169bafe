;; SRFI 127: lazy sequences. One is a list that may end in a generator instead of
;; the empty list; its elements become pairs when they are asked for.
(define-library (srfi 127)
  (export
   ;; constructor, predicates
   generator->lseq lseq? lseq=?
   ;; selectors
   lseq-car lseq-first lseq-cdr lseq-rest lseq-ref lseq-take lseq-drop
   ;; whole sequences
   lseq-realize lseq->generator lseq-length lseq-append lseq-zip
   ;; mapping, filtering
   lseq-map lseq-for-each lseq-filter lseq-remove
   ;; searching
   lseq-find lseq-find-tail lseq-take-while lseq-drop-while lseq-any
   lseq-every lseq-index lseq-member lseq-memq lseq-memv)
  (import (scheme base))
  (include "127.scm"))
