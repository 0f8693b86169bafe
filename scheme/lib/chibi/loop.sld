;; The loop macro with iterators: (loop [name] ((for x (in-list ls)) (with n 0 (+ n 1))
;; (while test) ...) => result body ...). An iterator is a macro in a style of
;; passing on, as in chibi: one can write one's own.
(define-library (chibi loop)
  (export
   loop for
   ;; iterators
   in-list in-lists in-port in-file in-string in-string-reverse in-substrings
   in-vector in-vector-reverse in-hash-table up-from down-from
   ;; accumulators
   listing listing-reverse appending appending-reverse summing multiplying
   collecting)
  (import (scheme base) (scheme read) (scheme file)
          (only (chibi-bridge hash-table) hash-table->alist))
  (include "loop.scm"))
