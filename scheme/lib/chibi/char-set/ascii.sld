;; The standard character sets, within ASCII.
(define-library (chibi char-set ascii)
  (export
   char-set:lower-case char-set:upper-case char-set:title-case
   char-set:letter char-set:digit char-set:letter+digit char-set:graphic
   char-set:printing char-set:whitespace char-set:iso-control
   char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank
   char-set:ascii char-set:empty char-set:full)
  (import (scheme base)
          (only (srfi 14) char-set-intersection char-set:ascii char-set:empty)
          (prefix (only (srfi 14)
                        char-set:lower-case char-set:upper-case
                        char-set:title-case char-set:letter char-set:digit
                        char-set:letter+digit char-set:graphic
                        char-set:printing char-set:whitespace
                        char-set:iso-control char-set:punctuation
                        char-set:symbol char-set:hex-digit char-set:blank)
                  all:))
  (include "ascii.scm"))
