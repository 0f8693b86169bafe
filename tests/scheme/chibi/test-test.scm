;;; (chibi test): what passes. tests/scheme/test_chibi_test.py has what fails.
(import (scheme base) (chibi test))

(test-begin "chibi test")

(test "chibi test" (current-test-group))
(test-equal "equal" '(1 2) (list 1 2))
(test-values (values 1 2) (values 1 2))
(test-error (car '()))
(test-not #f)
(test-assert "comparator" (parameterize ((current-test-comparator <)) (test 1 2) #t))
(test-assert "epsilon" (parameterize ((current-test-epsilon 0.5)) (test 1.0 1.2) #t))
(test "PASS chibi test: 1\n"
      (let ((out (open-output-string)))
        (parameterize ((current-output-port out) (current-test-verbosity #t))
          (test 1 1))
        (get-output-string out)))
(test-group "inner" (test "inner" (current-test-group)))
(test 0 (test-failure-count))

(test-end)
(test-exit)
