;; Prime numbers and modular arithmetic.
(define-library (chibi math prime)
  (export prime? nth-prime prime-above prime-below factor factor-alist perfect?
          totient aliquot provable-prime? probable-prime? random-prime
          random-prime-distinct-from coprime? random-coprime modular-inverse
          modular-expt miller-rabin-composite?)
  (import (scheme base) (srfi 27)
          (only (%core) arithmetic-shift integer-length bitwise-and))
  (include "prime.scm"))
