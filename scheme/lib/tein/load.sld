;; Evaluation of a file's text in the program, as far as the policy allows to read
;; it. Deviation from tein: there is no tree of files named /vfs/; libraries are
;; imported.
(define-library (tein load)
  (export load)
  (import (scheme base) (rename (scheme load) (load load-file)))
  (include "load.scm"))
