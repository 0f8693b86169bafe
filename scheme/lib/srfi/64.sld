;; SRFI 64: test suites. The simple runner prints to the current output port; it
;; keeps no log file. test-error with two arguments takes a string as the name.
(define-library (srfi 64)
  (export
   ;; assertions
   test-assert test-equal test-eqv test-eq test-approximate test-error
   test-read-eval-string
   ;; groups
   test-begin test-end test-group test-group-with-cleanup
   ;; selection
   test-match-name test-match-nth test-match-any test-match-all test-skip
   test-expect-fail
   ;; runners
   test-runner? test-runner-current test-runner-get test-runner-simple
   test-runner-null test-runner-create test-runner-factory test-runner-reset
   test-apply test-with-runner
   ;; results
   test-result-kind test-passed? test-result-ref test-result-set!
   test-result-remove test-result-clear test-result-alist
   test-result-alist!
   ;; parts of runners
   test-runner-pass-count test-runner-pass-count!
   test-runner-fail-count test-runner-fail-count!
   test-runner-xpass-count test-runner-xpass-count!
   test-runner-xfail-count test-runner-xfail-count!
   test-runner-skip-count test-runner-skip-count!
   test-runner-test-name test-runner-group-path
   test-runner-group-stack test-runner-group-stack!
   test-runner-aux-value test-runner-aux-value!
   ;; call-backs
   test-runner-on-test-begin test-runner-on-test-begin!
   test-runner-on-test-end test-runner-on-test-end!
   test-runner-on-group-begin test-runner-on-group-begin!
   test-runner-on-group-end test-runner-on-group-end!
   test-runner-on-bad-count test-runner-on-bad-count!
   test-runner-on-bad-end-name test-runner-on-bad-end-name!
   test-runner-on-final test-runner-on-final!
   test-on-test-begin-simple test-on-test-end-simple
   test-on-group-begin-simple test-on-group-end-simple
   test-on-bad-count-simple test-on-bad-end-name-simple
   test-on-final-simple)
  (import (scheme base) (scheme case-lambda) (scheme eval) (scheme read)
          (scheme repl) (scheme write)
          (only (srfi 35) condition? condition-type? condition-has-type?))
  (include "64.scm"))
