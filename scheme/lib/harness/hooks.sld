;; (register-hook name handler), the same procedure that every tool file has
;; without an import: it adds to the program's %hook-registry%.
(define-library (harness hooks)
  (export register-hook)
  (import (only (chibi-bridge tools) register-hook)))
