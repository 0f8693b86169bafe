;; SRFI 27: sources of random bits. The default source asks the host, whose
;; policy may fix the seed; other sources are pseudo-random (xorshift, 64 bits)
;; and start in a fixed state.
(define-library (srfi 27)
  (export random-integer random-real default-random-source
          make-random-source random-source? random-source-state-ref
          random-source-state-set! random-source-randomize!
          random-source-pseudo-randomize! random-source-make-integers
          random-source-make-reals)
  (import (scheme base) (only (%core) %host-call bitwise-xor))
  (include "27.scm"))
