;; (register-hook name handler) is a procedure of every tool file's program,
;; which holds the registry (see chibi-bridge/preamble.scm); this library exists
;; so that files which import it load, and exports nothing that would hide it.
(define-library (harness hooks)
  (export)
  (import (scheme base)))
