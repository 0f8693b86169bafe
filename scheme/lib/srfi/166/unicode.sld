;; SRFI 166: the width of Unicode text on a terminal.
(define-library (srfi 166 unicode)
  (export as-unicode unicode-terminal-width unicode-terminal-width/wide
          upcased downcased)
  (import (scheme base) (scheme char) (srfi 166 base)
          (only (srfi 14) char-set-contains? char-set:letter+digit
                char-set:punctuation char-set:symbol))
  (include "unicode.scm"))
