;; Persistent hash maps, with chibi's names: a trie of (srfi 146 hamt).
(define-library (srfi 146 hamt-map)
  (export
   make-phm phm? phm->alist phm/add-alist phm/add-alist! phm/contains?
   phm/count phm/data phm/empty? phm/for-each phm/get phm/immutable phm/keys
   phm/mutable phm/mutable? phm/put phm/put! phm/remove phm/remove!
   phm/replace phm/replace!)
  (import (scheme base) (scheme case-lambda) (srfi 146 hamt))
  (include "hamt-map.scm"))
