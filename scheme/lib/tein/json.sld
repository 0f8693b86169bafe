;; JSON texts and Scheme data. Objects become alists with string keys in the
;; order of the text, arrays lists, null the symbol null; integers of any size
;; stay exact. Deviations from tein: integers beyond 64 bits, NUL and depth are
;; no errors, the order of keys is kept, vectors and hash tables are written.
(define-library (tein json)
  (export json-parse json-stringify json-object)
  (import (scheme base) (chibi-bridge hash-table)
          (only (%core) %json-parse %json-stringify))
  (include "json.scm"))
