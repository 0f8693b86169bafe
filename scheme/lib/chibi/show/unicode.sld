;; Widths of characters, those of (srfi 166 unicode).
(define-library (chibi show unicode)
  (export
   as-unicode unicode-terminal-width unicode-terminal-width/wide upcased
   downcased)
  (import (srfi 166 unicode)))
