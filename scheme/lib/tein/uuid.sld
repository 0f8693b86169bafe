;; Identifiers by RFC 9562: new random ones (version 4), and a check of texts. The
;; random numbers are the host's.
(define-library (tein uuid)
  (export make-uuid uuid? uuid-nil)
  (import (scheme base) (only (%core) %host-call))
  (include "uuid.scm"))
