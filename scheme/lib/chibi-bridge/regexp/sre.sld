;; SRFI 115's regular expressions as S-expressions, compiled to nodes.
(define-library (chibi-bridge regexp sre)
  (export sre->program valid-sre?)
  (import (scheme base) (scheme char) (chibi-bridge regexp)
          (only (srfi 14) char-set? char-set-contains? char-set:letter
                char-set:lower-case char-set:upper-case char-set:title-case
                char-set:digit char-set:letter+digit char-set:punctuation
                char-set:symbol char-set:graphic char-set:printing
                char-set:whitespace char-set:iso-control char-set:hex-digit))
  (include "sre.scm"))
