;;; (srfi 166 base).
(import (scheme base) (scheme char) (scheme complex) (scheme write) (srfi 166 base)
        (chibi-bridge test))

(define-syntax t
  (syntax-rules () ((_ expected format ...) (test expected (show #f format ...)))))

(test-begin "srfi 166 base")

(t "hi" "hi")
(t "a1b(1 \"x\")" "a" 1 #\b '(1 "x"))
(test "x" (let ((out (open-output-string))) (show out "x") (get-output-string out)))
(test "x" (let ((out (open-output-string)))
            (parameterize ((current-output-port out)) (show #t "x"))
            (get-output-string out)))
(test-error (show 5 "x"))
(t "\"hi \\\"bob\\\"\"" (written "hi \"bob\""))
(t "hi" (displayed "hi"))
(t "x" (displayed (displayed #\x)))
(t "#(1 2 3)(1 2 . 3)" (written '#(1 2 3)) (written '(1 2 . 3)))
(t "#0=(1 . #0#)" (written (let ((l (list 1))) (set-cdr! l l) l)))
(t "((1) (1))(#0=(1) #0#)" (let ((l (list 1))) (written (list l l)))
   (let ((l (list 1))) (written-shared (list l l))))
(t "(1 #(2) 'a . b)" (written-simply '(1 #(2) 'a . b)))
(t "(1 1 1 1 1" (trimmed/lazy 10 (written-simply (let ((l (list 1))) (set-cdr! l l) l))))
(t "a\\\"b" (escaped "a\"b"))
(t "a\\nb" (escaped "a\nb" #\" #\\ (lambda (c) (and (char=? c #\newline) #\n))))
(t "foo\"a b\"\"q\\\"\"" (maybe-escaped "foo" char-whitespace?) (maybe-escaped "a b" char-whitespace?)
   (maybe-escaped "q\"" char-whitespace?))
;; Numbers.
(t "-1 0 100 57005" -1 " " 0 " " (numeric 100) " " #xDEAD)
(t "#xdead1234" (with ((radix 16)) #xDEAD) 1234)
(t "de.ad d.ead 0.dead" (with ((radix 16) (precision 2)) (numeric (/ #xDEAD #x100))) " "
   (numeric (/ #xDEAD #x1000) 16 3) " " (numeric (/ #xDEAD #x10000) 16 4))
(t "1g" (with ((radix 17)) (numeric 33)))
(t "3.14159 3.14 3.14 3.00 1.10 0.00" 3.14159 " " (with ((precision 2)) 3.14159) " "
   (with ((precision 2)) 3.14 " " 3. " " 1.099 " " 1e-17))
(t "0.0000000010 0.000004 0.0000040" (with ((precision 10)) 1e-9) " " (with ((precision 6)) 0.000004)
   " " (with ((precision 7)) 0.000004))
(t "   3.14159  -3.14159-31415.9" (with ((decimal-align 5)) (numeric 3.14159) (numeric -3.14159)
                                       (numeric -31415.9)))
(t "333.333333333333333333333333333333" (with ((precision 30)) (numeric 1000/3)))
(t "0.666666666666666666666666666667" (with ((precision 30)) (numeric 2/3)))
(t "11.75 -11.75 1/3" (with ((precision 2)) (/ 47 4) " " (/ -47 4)) " " 1/3)
(t "299792458 299,792,458 -29,97,92,458" (with ((comma-rule 3)) 299792458) " "
   (with ((comma-rule 3)) (numeric 299792458)) " " (with ((comma-rule '(3 . 2))) (numeric -299792458)))
(t "299.792.458 299.792.458,0" (with ((comma-rule 3) (comma-sep #\.)) (numeric 299792458)) " "
   (with ((comma-rule 3) (decimal-sep #\,)) (numeric 299792458.0)))
(t "100,000.0 1,234,567 12,34" (with ((comma-rule 3) (precision 1)) (numeric 100000)) " "
   (numeric/comma 1234567) " " (numeric/comma 1234 2))
(t "+1 -1 (1) +inf.0 -0.0" (with ((sign-rule #t)) (numeric 1)) " " (numeric -1) " "
   (with ((sign-rule '("(" . ")"))) (numeric -1)) " " (numeric +inf.0) " " (numeric -0.0))
(t "1+2i 1.00+2.00i" (numeric (make-rectangular 1 2)) " "
   (with ((precision 2)) (numeric (make-rectangular 1 2))))
(t "608 4k 3.9KiB 1.2 M 12m -4k" (numeric/si 608) " " (numeric/si 3986) " " (numeric/si 3986 1024) "B "
   (numeric/si 1200000 1000 " ") " " (numeric/si 12/1000) " " (numeric/si -3986))
(t "1.25 #.## ####" (numeric/fitted 4 1.25 10 2) " " (numeric/fitted 4 12.345 10 2) " "
   (numeric/fitted 4 12345))
;; Columns and lines.
(t "abc     def abc  defabcdef" "abc" (tab-to) "def " "abc" (space-to 17) "def" (with! (col 3)) "abc"
   (tab-to 6) "def")
(t "a\nb\n\n" "a" fl fl nothing "b" nl fl nl)
(t "0:3:" (fn (row) row) ":" (with! (col 3)) (fn (col) col) ":")
(test '(2 1) (let ((out '()))
               (show #f "ab\n\nc" (fn (row col) (set! out (list row col)) nothing))
               out))
(t "1 2 3|:1:2|1;2;" (joined displayed '(1 2 3) " ") "|" (joined/prefix displayed '(1 2) ":") "|"
   (joined/suffix displayed '(1 2) ";"))
(t "lions, tigers, and bears" (joined/last displayed (lambda (x) (each "and " x))
                                           '(lions tigers bears) ", "))
(t "lions, or bears|1" (joined/dot displayed (lambda (x) (each "or " x)) '(lions . bears) ", ") "|"
   (joined/dot displayed displayed '(1) ", "))
(t "0 1 2|0123" (joined/range displayed 0 3 " ") "|" (trimmed/lazy 4 (joined/range displayed 0)))
(t "a1b" (each "a" 1) (each-in-list '("b")))
;; Padding and trimming.
(t "  abc|abc  | abc |abcdef" (padded 5 "abc") "|" (padded/right 5 "abc") "|" (padded/both 5 "abc") "|"
   (padded 5 "abcdef"))
(t "cde|abc|bcd|ab" (trimmed 3 "abcde") "|" (trimmed/right 3 "abcde") "|" (trimmed/both 3 "abcde") "|"
   (trimmed 3 "ab"))
(t "abc|abc" (trimmed/lazy 3 "abcde") "|" (trimmed/lazy 3 "abc\nde"))
(t "ab...|...ef|...d...|abcdefg" (with ((ellipsis "...")) (trimmed/right 5 "abcdef") "|"
                                   (trimmed 5 "abcdef") "|" (trimmed/both 7 "abcdefgh") "|"
                                   (trimmed/both 7 "abcdefg")))
(t "  abc|abc  | abc |defgh|abcde|bcdef" (fitted 5 "abc") "|" (fitted/right 5 "abc") "|"
   (fitted/both 5 "abc") "|" (fitted 5 "abcdefgh") "|" (fitted/right 5 "abcdefgh") "|"
   (fitted/both 5 "abcdefgh"))
(t "--a" (with ((pad-char #\-)) (padded 3 "a")))
(t "ABC abc" (upcased "abc") " " (downcased "ABC"))
;; Computations.
(t "abc3" "abc" (fn (col) col))
(t "16" (with ((radix 16)) (fn ((r radix)) (with ((radix 10)) (numeric r)))))
(t "1010 10 101" (with ((radix 2)) (numeric 10)) " " (numeric 10) " " (with! (radix 2)) (numeric 5))
(t "a1b0" (forked (each "a" (with! (col 1)) (fn (col) col)) (each "b" (fn (col) (if (= col 1) 0 col)))))
(t "ABC" (call-with-output "abc" string-upcase))
(t "<a><b>" (with ((output (lambda (text) (output-default (string-append "<" text ">"))))) "a" #\b))
(t "{1}" (with ((writer (lambda (obj) (each "{" (with ((writer written)) obj) "}")))) 1))
(define shade (make-state-variable 'shade 'dark))
(t "dark light" (fn (shade) shade) " " (with ((shade 'light)) (fn ((s shade)) s)))
(t "80 #f #\\," (fn (width) width) " " (fn (ambiguous-is-wide?) (written ambiguous-is-wide?)) " "
   (with ((comma-sep #\,)) (fn (comma-sep) (written comma-sep))))
(t "#t 4" (fn ((sep word-separator?)) (written (sep #\space))) " "
   (with ((string-width (lambda (s) (* 2 (string-length s))))) (fn (string-width) (string-width "ab"))))
(test #t (let ((out (open-output-string)))
           (show out (fn (port) (if (eq? port out) "same" "other")))
           (string=? "same" (get-output-string out))))

(test-end)
(test-exit)
