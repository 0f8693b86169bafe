;; Texts about what a tool file finds, as alists for (tein docs).
(define-library (harness docs)
  (export hooks-docs harness-tools-docs)
  (import (scheme base))
  (include "hooks-docs.scm" "docs.scm"))
