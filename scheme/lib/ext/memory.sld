;; What an extension remembers from one session to the next, under keys of its own.
(define-library (ext memory)
  (export remember recall cap-error? cap-error-code cap-error-message)
  (import (scheme base) (tein json) (chibi-bridge satellite))
  (include "memory.scm"))
