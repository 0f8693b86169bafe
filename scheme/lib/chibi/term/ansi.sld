;; Colours and faces of text on a terminal, by ANSI's escape sequences. Whether
;; there is a terminal is not asked: escapes are on until ansi-escapes-enabled? says
;; otherwise.
(define-library (chibi term ansi)
  (export
   ;; sequences
   black-escape red-escape green-escape yellow-escape blue-escape
   magenta-escape cyan-escape white-escape rgb-escape gray-escape
   reset-color-escape black-background-escape red-background-escape
   green-background-escape yellow-background-escape blue-background-escape
   magenta-background-escape cyan-background-escape white-background-escape
   rgb-background-escape gray-background-escape
   reset-background-color-escape
   ;; strings
   black red green yellow blue magenta cyan white rgb gray black-background
   red-background green-background yellow-background blue-background
   magenta-background cyan-background white-background rgb-background
   gray-background
   ;; faces
   bold bold-escape reset-bold-escape underline underline-escape
   reset-underline-escape negative negative-escape reset-negative-escape
   ansi-escapes-enabled?)
  (import (scheme base))
  (include "ansi.scm"))
