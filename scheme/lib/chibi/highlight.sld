;; Source text with its parts marked up as SXML, with chibi's names.
(define-library (chibi highlight)
  (export highlight highlight-detect-language highlighter-for highlight-style
          highlight-scheme highlight-c highlight-assembly)
  (import (scheme base) (scheme char) (only (srfi 13) string-contains))
  (include "highlight.scm"))
