;; R7RS-small: characters and strings by Unicode's properties.
(define-library (scheme char)
  (export
   char-alphabetic? char-lower-case? char-numeric? char-upper-case?
   char-whitespace? digit-value
   char-downcase char-foldcase char-upcase
   char-ci<=? char-ci<? char-ci=? char-ci>=? char-ci>?
   string-downcase string-foldcase string-upcase
   string-ci<=? string-ci<? string-ci=? string-ci>=? string-ci>?)
  (import (%core)))
