;; HTTP through the host, as far as its policy's rules agree. tein's five
;; procedures with tein's results; beyond them bodies as bytevectors, the kind of
;; a failure, and helpers for responses and JSON. Deviations from tein: redirects
;; are followed only where the rule says so; a header that the program must not
;; set or that holds control characters is an error.
(define-library (tein http)
  (export
   ;; requests
   http-request http-get http-delete http-post http-put
   ;; failures
   http-error? http-error-kind
   ;; responses
   http-status http-headers http-header http-body
   ;; JSON
   http-json http-post-json)
  (import (scheme base) (only (scheme char) string-downcase) (tein json)
          (only (%core) %host-call %condition-kind? %condition-extra))
  (include "http.scm"))
