;; Regular expressions of linear time: a tree of nodes is compiled to a program,
;; which is run by stepping all its threads through the text together. There are
;; two syntaxes over it, (chibi-bridge regexp pattern) and (chibi-bridge regexp
;; sre). A node is one of
;;
;;   (empty)  (fail)  (char c)  (set predicate)  (seq node ...)  (or node ...)
;;   (repeat least most-or-#f greedy? node)  (group name-or-#f node)
;;   (assert procedure)   (procedure string i start end) says whether i will do
(define-library (chibi-bridge regexp)
  (export make-program program? program-group-count program-group-names
          program-source run-program
          ;; sets of characters as predicates
          set-union set-intersection set-complement set-fold-case set-range
          ;; assertions
          at-start? at-end? at-line-start? at-line-end? at-word-start?
          at-word-end? at-word-boundary? not-at-word-boundary? word-char?)
  (import (scheme base) (scheme char))
  (include "regexp.scm"))
