;; SRFI 159: widths of characters on a terminal.
(define-library (srfi 159 unicode)
  (export as-unicode unicode-terminal-width)
  (import (srfi 166 unicode)))
