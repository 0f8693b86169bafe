;; Names of libraries that reach for what no program here is ever given: they are
;; there, so that what imports them loads, and each says what is missing when used.
(define-library (chibi-bridge unavailable)
  (export define-unavailable define-unavailable-syntax)
  (import (scheme base) (only (%core) %make-condition %raise-new))
  (include "unavailable.scm"))
