;; Making the procedures of a kind of homogeneous vectors, with chibi's name.
(define-library (srfi 160 uvector)
  (export define-uvector-procedures)
  (import (scheme base) (scheme write)
          (only (srfi 128) make-comparator default-hash))
  (include "uvector.scm"))
