;; SRFI 159: columns.
(define-library (srfi 159 columnar)
  (export
   call-with-output-generator call-with-output-generators
   string->line-generator tabular columnar show-columns wrapped wrapped/list
   wrapped/char justified line-numbers from-file)
  (import (scheme base) (srfi 166 base) (srfi 166 columnar))
  (include "columnar.scm"))
