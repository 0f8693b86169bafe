;; Texts about (tein introspect), for (tein docs).
(define-library (tein introspect docs)
  (export introspect-docs)
  (import (scheme base))
  (include "docs.scm"))
