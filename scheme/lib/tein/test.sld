;; Checks that are silent where they pass and raise an error where they fail.
(define-library (tein test)
  (export test-equal test-true test-false test-error)
  (import (scheme base))
  (include "test.scm"))
