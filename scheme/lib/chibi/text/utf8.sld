;; Characters in bytevectors, with chibi's names.
(define-library (chibi text utf8)
  (export string->utf8! utf8->string! utf8-ref utf8-next utf8-prev)
  (import (scheme base))
  (include "utf8.scm"))
