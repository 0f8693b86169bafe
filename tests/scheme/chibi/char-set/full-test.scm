;;; (chibi char-set full).
(import (scheme base) (chibi char-set full) (only (srfi 14) char-set-contains?) (chibi-bridge test))

(test-begin "char-set full")

(test '(#t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #f #t)
      (map char-set-contains?
           (list char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace char-set:iso-control char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank char-set:ascii char-set:empty char-set:full)
           '(#\é #\É #\x1C5 #\é #\x663 #\é #\é #\é #\x3000 #\x85 #\« #\€ #\F #\x3000 #\a #\a #\é)))

(test-end)
(test-exit)
