;; chibi's test library, over (chibi-bridge test), which counts and reports. Left
;; out: the hooks current-test-applier, -handler, -skipper and -group-reporter and
;; the macros inside (test-run, test-propagate-info, test-vars).
(define-library (chibi test)
  (export
   test test-equal test-assert test-not test-error test-values test-group
   test-begin test-end test-exit test-syntax-error
   current-test-group current-test-epsilon current-test-comparator
   current-test-verbosity
   (rename test-failed-count test-failure-count))
  (import (scheme base) (chibi-bridge test))
  (include "test.scm"))
