;; JSON texts in chibi's mapping: objects are alists with symbol keys, arrays
;; vectors, null the symbol null. Integers of any size stay exact.
(define-library (chibi json)
  (export
   ;; reading
   string->json json-read make-json-reader parse-json
   ;; writing
   json->string json-write unparse-json)
  (import (scheme base)
          (only (%core) %json-read %json-write %record %record-type?
                %record-type-fields %string->json %try))
  (include "json.scm"))
