;; R7RS-large: integer division, those of (srfi 141).
(define-library (scheme division)
  (export ceiling/ ceiling-quotient ceiling-remainder euclidean/
          euclidean-quotient euclidean-remainder floor/ floor-quotient
          floor-remainder round/ round-quotient round-remainder truncate/
          truncate-quotient truncate-remainder balanced/ balanced-quotient
          balanced-remainder)
  (import (srfi 141)))
