;; SRFI 141: integer division in all its roundings.
(define-library (srfi 141)
  (export ceiling/ ceiling-quotient ceiling-remainder
          euclidean/ euclidean-quotient euclidean-remainder
          floor/ floor-quotient floor-remainder
          round/ round-quotient round-remainder
          truncate/ truncate-quotient truncate-remainder
          balanced/ balanced-quotient balanced-remainder)
  (import (scheme base))
  (include "141.scm"))
