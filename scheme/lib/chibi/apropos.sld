;; Searching all names, under chibi's names: not available. (tein introspect)
;; tells what there is.
(define-library (chibi apropos)
  (export
   apropos apropos-list)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable modules
      apropos apropos-list)))
