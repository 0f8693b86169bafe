;; Libraries that a program makes while it runs. Only a policy that names this
;; library, or "all", has it.
(define-library (tein modules)
  (export register-module module-registered?)
  (import (scheme base) (scheme read)
          (only (%core) %environment %library-allowed? %library-loaded?
                %run-unit %unit-of-datum))
  (include "modules.scm"))
