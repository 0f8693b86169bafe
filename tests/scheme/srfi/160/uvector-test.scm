;;; (srfi 160 uvector): vectors of a kind as strings.
(import (scheme base) (srfi 160 uvector) (chibi-bridge test))

(define-uvector-procedures char? string? (lambda (n . fill) (apply make-string n fill)) string-length string-ref string-set!
  xv xv-unfold xv-unfold-right xv-copy xv-reverse-copy xv-append xv-concatenate
  xv-append-subvectors xv-empty? xv= xv-take xv-take-right xv-drop
  xv-drop-right xv-segment xv-fold xv-fold-right xv-map xv-map! xv-for-each
  xv-count xv-cumulate xv-take-while xv-take-while-right xv-drop-while
  xv-drop-while-right xv-index xv-index-right xv-skip xv-skip-right
  xv-binary-search xv-any xv-every xv-partition xv-filter xv-remove xv-swap!
  xv-fill! xv-reverse! xv-copy! xv-reverse-copy! xv->list reverse-xv->list
  list->xv xv->vector vector->xv make-xv-generator write-xv)

(define (digit-compare a b) (- (char->integer a) (char->integer b)))

(define (char-b? c) (char=? c #\b))

(test-begin "srfi 160 uvector")

(test '("abc" (#\a #\b) (#\b) "ab") (list (xv #\a #\b #\c) (xv->list "ab") (xv->list "abc" 1 2) (list->xv '(#\a #\b))))
(test (quote ("cba" "abcd" "bc" #f)) (list (xv-reverse-copy "abc") (xv-append "ab" "cd") (xv-copy "abc" 1) (xv-empty? "a")))
(test '("ab" "c" 1 #f 2) (list (xv-take "abc" 2) (xv-drop "abc" 2) (xv-index char-b? "abc") (xv-index char-b? "xyz") (xv-count char-b? "bab")))
(test '(3 #f) (list (xv-binary-search "0123456" #\3 digit-compare) (xv-binary-search "01" #\7 digit-compare)))
(test '("b" "ac" (#\b #\a) #(#\a)) (list (xv-filter char-b? "abc") (xv-remove char-b? "abc") (reverse-xv->list "ab") (xv->vector "a")))
(test "abab" (xv-concatenate '("ab" "ab")))

(test-end)
(test-exit)
