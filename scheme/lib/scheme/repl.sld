;; R7RS-small: the environment of the context's program.
(define-library (scheme repl)
  (export interaction-environment)
  (import (%core)))

;;> (interaction-environment)
;;> Return the environment of the program itself, for eval.
