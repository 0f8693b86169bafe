;;; (chibi char-set ascii).
(import (scheme base) (chibi char-set ascii) (only (srfi 14) char-set-size char-set-contains?)
        (chibi-bridge test))

(test-begin "char-set ascii")

(test '(26 26 0 52 10 62 94 100 6 33 23 9 22 2 128 0 128)
      (map char-set-size
           (list char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace char-set:iso-control char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank char-set:ascii char-set:empty char-set:full)))
(test '(#t #f) (list (char-set-contains? char-set:letter #\a) (char-set-contains? char-set:letter #\é)))

(test-end)
(test-exit)
