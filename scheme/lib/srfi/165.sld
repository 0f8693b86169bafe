;; SRFI 165: the environment monad. A computation is a procedure of an environment; what
;; is no procedure becomes one by the variable default-computation.
(define-library (srfi 165)
  (export
   make-computation-environment-variable make-computation-environment
   computation-environment-ref computation-environment-update
   computation-environment-update! computation-environment-copy
   make-computation computation-run computation-ask computation-local
   computation-pure computation-each computation-each-in-list
   computation-bind computation-sequence computation-forked
   computation-bind/forked computation-fn computation-with
   computation-with! default-computation define-computation-type)
  (import (scheme base))
  (include "165.scm"))
