;; Documentation alists: symbols to texts, with the module's name under
;; __module__.
(define-library (tein docs)
  (export describe module-doc module-docs)
  (import (scheme base) (scheme write))
  (include "docs.scm"))
