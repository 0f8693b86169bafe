;; The test dialect, compatible with how (chibi test) is used. Built on (scheme
;; base) and (scheme write) alone, so that a broken library cannot break its own
;; tests.
(define-library (chibi-bridge test)
  (export
   ;; assertions
   test test-equal test-assert test-not test-error test-values
   ;; structure
   test-group test-begin test-end test-exit
   ;; results
   test-passed-count test-failed-count
   ;; how
   current-test-epsilon current-test-comparator current-test-verbosity
   current-test-group)
  (import (scheme base) (scheme write) (only (%core) exit))
  (include "test.scm"))
