;; SXML as HTML, XML and text.
(define-library (chibi sxml)
  (export sxml->xml sxml-display-as-html sxml-display-as-text sxml-strip
          html-escape html-display-escaped-attr html-display-escaped-string
          html-tag->string)
  (import (scheme base) (scheme write))
  (include "sxml.scm"))
