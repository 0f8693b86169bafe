;; SRFI 154: first-class dynamic extents. An extent holds the parameters and
;; exception handlers of its place; the winders of dynamic-wind stay those of now.
(define-library (srfi 154)
  (export current-dynamic-extent dynamic-extent? with-dynamic-extent
          closed-lambda)
  (import (scheme base)
          (only (%core) %dynamic-state %make-dynamic-state %dynamic-state-ref
                %set-dynamic-state!))
  (include "154.scm"))
