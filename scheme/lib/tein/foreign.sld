;; Objects of the host that a program was given. It can tell them apart and hand
;; them back; what can be done with them are the host's own procedures.
(define-library (tein foreign)
  (export foreign? foreign-type foreign-handle-id)
  (import (scheme base) (only (%core) %foreign-id %foreign? %host-call))
  (include "foreign.scm"))
