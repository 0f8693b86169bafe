;; R7RS-small: evaluation in an environment made of import sets.
(define-library (scheme eval)
  (export environment eval)
  (import (%core)))

;;> (eval expression environment)
;;> Evaluate a datum as a program, in what (environment '(scheme base)) or (interaction-environment) gave.

;;> (environment import-set ...)
;;> Return an environment with the imports: (environment '(scheme base) '(prefix (srfi 1) l:)).
