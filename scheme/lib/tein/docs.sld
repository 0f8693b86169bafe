;; Documentation alists: symbols to texts, with the module's name under
;; __module__; and what the comments of the shipped libraries say: where a docs
;; alist is wanted, a library's name will do, as in (describe '(tein json)).
(define-library (tein docs)
  (export describe module-doc module-docs)
  (import (scheme base) (scheme write) (only (%core) %host-call))
  (include "docs.scm"))
