;; MD5 (RFC 1321), for checksums; it protects nothing any more.
(define-library (chibi crypto md5)
  (export md5)
  (import (scheme base) (chibi-bridge digest)
          (only (chibi bytevector) bytevector->hex-string
                bytevector-u32-ref-le bytevector-u32-set-le!)
          (only (%core) bitwise-and bitwise-ior bitwise-xor bitwise-not
                arithmetic-shift))
  (include "md5.scm"))
