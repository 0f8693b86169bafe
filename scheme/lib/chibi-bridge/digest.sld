;; What MD5 and the SHA-2 family have in common: sources, padding, words.
(define-library (chibi-bridge digest)
  (export digest-source digest-fold word32 rotate-left32 rotate-right32)
  (import (scheme base) (only (chibi io) port->bytevector port->string)
          (only (%core) bitwise-and bitwise-ior arithmetic-shift))
  (include "digest.scm"))
