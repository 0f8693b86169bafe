;; What a character set is: the ascending vector of the codes at which belonging to it
;; changes. Nobody changes the vector, so sets made of literals are shared by contexts.
(define-library (chibi-bridge char-set)
  (export make-set char-set? bounds-of)
  (import (scheme base))
  (begin
    (define-record-type <char-set>
      (make-set bounds)
      char-set?
      (bounds bounds-of))))
