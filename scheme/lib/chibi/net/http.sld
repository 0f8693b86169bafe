;; HTTP over sockets, under chibi's names: not available. Requests that a policy
;; allows go through (tein http).
(define-library (chibi net http)
  (export
   http-get http-get/headers http-get-to-file http-head http-post http-put
   http-delete call-with-input-url call-with-input-url/headers
   with-input-from-url http-parse-request http-parse-form)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable network
      http-get http-get/headers http-get-to-file http-head http-post http-put
      http-delete call-with-input-url call-with-input-url/headers
      with-input-from-url http-parse-request http-parse-form)))
