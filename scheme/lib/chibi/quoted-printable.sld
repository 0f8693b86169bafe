;; Quoted-printable text (RFC 2045) and encoded words of headers (RFC 2047).
(define-library (chibi quoted-printable)
  (export quoted-printable-encode quoted-printable-encode-string
          quoted-printable-encode-bytevector quoted-printable-encode-header
          quoted-printable-decode quoted-printable-decode-string
          quoted-printable-decode-bytevector)
  (import (scheme base) (only (chibi io) port->string port->bytevector))
  (include "quoted-printable.scm"))
