;; What the forms of a tool file are made of: (define-tool name clause ...).
;;
;; The registry that a tool's definition goes into is a variable of the program,
;; so that a tool file can read and change it. A library cannot reach it:
;; preamble.scm, which the loader evaluates in the program, defines it, and the
;; macro define-tool over what stands here.
(define-library (chibi-bridge tools)
  (export %tool-clause %build-tool %keep-hooks! register-hook)
  (import (scheme base) (srfi 1))
  (include "tools.scm"))
