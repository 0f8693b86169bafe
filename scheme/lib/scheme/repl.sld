;; R7RS-small: the environment of the context's program.
(define-library (scheme repl)
  (export interaction-environment)
  (import (%core)))
