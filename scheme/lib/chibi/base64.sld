;; Base 64 (RFC 4648), also of mail headers (RFC 2047).
(define-library (chibi base64)
  (export base64-encode base64-encode-string base64-encode-bytevector
          base64-decode base64-decode-string base64-decode-bytevector
          base64-encode-header)
  (import (scheme base) (only (chibi io) port->string port->bytevector)
          (only (%core) bitwise-and bitwise-ior arithmetic-shift))
  (include "base64.scm"))
