;; R7RS-small: the program's surroundings. The host answers by its policy.
(define-library (scheme process-context)
  (export command-line emergency-exit exit get-environment-variable
          get-environment-variables)
  (import (scheme base) (only (%core) %host-call exit emergency-exit))
  (include "process-context.scm"))
