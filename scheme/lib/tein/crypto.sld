;; Digests, computed by the engine, and random numbers of the host's
;; cryptographic source (of the seed, where the policy has one).
(define-library (tein crypto)
  (export sha256 sha256-bytes sha512 sha512-bytes blake3 blake3-bytes
          random-bytes random-integer random-float)
  (import (scheme base)
          (only (%core) %blake3 %host-call %sha256 %sha512))
  (include "crypto.scm"))
