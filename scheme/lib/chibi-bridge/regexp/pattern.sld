;; Patterns as strings, in the syntax of Rust's regexps: no references back and no
;; looking around.
(define-library (chibi-bridge regexp pattern)
  (export pattern->program quote-pattern)
  (import (scheme base) (scheme char) (chibi-bridge regexp)
          (only (srfi 14) char-set-contains? char-set:letter char-set:lower-case
                char-set:upper-case char-set:title-case char-set:digit
                char-set:punctuation char-set:symbol char-set:whitespace
                char-set:iso-control char-set:hex-digit char-set:graphic
                char-set:printing char-set:blank char-set:letter+digit))
  (include "pattern.scm"))
