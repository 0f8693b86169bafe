;; Vectors with some elements put in or left out, with chibi's names.
(define-library (srfi 146 vector-edit)
  (export vector-edit vector-replace-one vector-without)
  (import (scheme base))
  (include "vector-edit.scm"))
