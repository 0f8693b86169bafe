;; Hash array mapped tries, with chibi's names: persistent tables whose nodes hold, by
;; five bits of the hash after the other, leaves and narrower nodes.
(define-library (srfi 146 hamt)
  (export
   make-hamt hash-array-mapped-trie? hamt-null hamt-null? hamt-fetch hamt->list
   hamt/count hamt/empty? hamt/for-each hamt/payload? hamt/put hamt/put!
   hamt/replace hamt/replace! hamt/mutable hamt/mutable? hamt/immutable
   hamt/root hamt-bucket-size hamt-hash-size
   ;; nodes
   fragment->mask next-set-bit leaf-stride
   collision? narrow? narrow/array narrow/leaves
   wide? wide/array wide/children)
  (import (scheme base)
          (only (srfi 151) arithmetic-shift bit-count bit-set? bitwise-and
                bitwise-ior bitwise-not first-set-bit))
  (include "hamt.scm"))
