;; Pattern matching: match, match-lambda, match-let and relatives, by
;; syntax-rules. Own writing; the pattern language is that of (chibi match):
;;
;;   _  identifier  literal  'datum  (p . q)  #(p ...)
;;   (p ... q ...)  with ... or ___ for any number, ..1 for at least one
;;   (and p ...) (or p ...) (not p ...) (? predicate p ...) (= procedure p)
;;   ($ predicate p ...) is not supported, nor tree patterns (***) and setters.
;;
;; A clause is (pattern body ...) or (pattern (=> failure) body ...), where
;; (failure) goes on with the next clause. An identifier twice in a pattern
;; binds the later one.
(define-library (chibi match)
  (export match match-lambda match-lambda* match-let match-let* match-letrec)
  (import (scheme base))
  (include "match.scm"))
