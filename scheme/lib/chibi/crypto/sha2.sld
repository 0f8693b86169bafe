;; SHA-224 and SHA-256 (FIPS 180-4).
(define-library (chibi crypto sha2)
  (export sha-224 sha-256)
  (import (scheme base) (chibi-bridge digest)
          (only (chibi bytevector) bytevector->hex-string
                bytevector-u32-ref-be bytevector-u32-set-be!)
          (only (%core) bitwise-and bitwise-xor bitwise-not arithmetic-shift))
  (include "sha2.scm"))
