;; SRFI 193: the command line. A program has a script file only where its command
;; line begins with an absolute path.
(define-library (srfi 193)
  (export command-line command-name command-args script-file script-directory)
  (import (scheme base) (scheme process-context)
          (only (chibi pathname) path-strip-directory path-strip-extension
                path-absolute?)
          (only (chibi string) string-find-right))
  (include "193.scm"))
