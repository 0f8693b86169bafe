;; MIME messages (RFC 2045 to 2049): headers and parts.
(define-library (chibi mime)
  (export mime-ref assoc-ref mime-header-fold mime-headers->list
          mime-parse-content-type mime-decode-header mime-message-fold
          mime-message->sxml)
  (import (scheme base) (scheme char)
          (only (chibi base64) base64-decode-bytevector base64-decode-string)
          (only (chibi quoted-printable) quoted-printable-decode-bytevector
                quoted-printable-decode-string)
          (only (chibi string) string-trim string-trim-left string-find
                string-contains string-prefix? call-with-output-string))
  (include "mime.scm"))
