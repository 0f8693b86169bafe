;; URIs (RFC 3986) as records, and their escapes.
(define-library (chibi uri)
  (export uri? make-uri uri->string string->uri string->path-uri uri-has-scheme?
          uri-scheme uri-user uri-host uri-port uri-path uri-query uri-fragment
          uri-with-scheme uri-with-user uri-with-host uri-with-port
          uri-with-path uri-with-query uri-with-fragment uri-resolve
          uri-encode uri-decode uri-query->alist uri-alist->query)
  (import (scheme base) (scheme char)
          (only (chibi string) string-find string-find-right string-join)
          (only (chibi pathname) path-directory path-normalize path-absolute?
                make-path))
  (include "uri.scm"))
