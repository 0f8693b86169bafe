;; The character sets that tell where what a reader takes for one character ends, with
;; chibi's names. They follow the general categories, so some characters that Unicode
;; lists one by one are left out.
(define-library (chibi char-set boundary)
  (export
   char-set:regional-indicator char-set:extend-or-spacing-mark
   char-set:hangul-l char-set:hangul-v char-set:hangul-t
   char-set:hangul-lv char-set:hangul-lvt)
  (import (scheme base) (chibi-bridge char-set))
  (include "boundary.scm"))
