;; TOML documents (the grammar of 1.1) and Scheme data. Tables are alists with
;; string keys, sorted; arrays lists; the four kinds of dates and times are
;; (toml-datetime "text"). Deviation from tein: integers of any size are exact.
(define-library (tein toml)
  (export toml-parse toml-stringify)
  (import (scheme base) (scheme char) (scheme inexact) (chibi-bridge hash-table)
          (chibi-bridge sort))
  (include "toml.scm" "toml-write.scm"))
