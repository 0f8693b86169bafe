;;; SRFI 159.
(import (scheme base) (srfi 159 base) (srfi 159 columnar) (chibi-bridge test))

(test-begin "srfi 159")

(define (lines source) (let loop ((l (source)) (found '())) (if (eof-object? l) (reverse found) (loop (source) (cons l found)))))
(define (strings . all) (lambda () (if (null? all) (eof-object) (let ((s (car all))) (set! all (cdr all)) s))))
(test '("ab" "" "c" "d") (lines (string->line-generator (strings "a" "b\n" "\nc\nd"))))
(test "<ab>" (show #f (call-with-output-generator (each "a" "b") (lambda (g) (each "<" (g) ">")))))
(test "ba" (show #f (call-with-output-generators '("a" "b") (lambda (gs) (each ((cadr gs)) ((car gs)))))))
(test "a  1\nbb 2\n" (show #f (tabular "a\nbb\n" " " "1\n2\n")))
(test "a  |c\nb  |d\n" (show #f (columnar 3 (each "a\nb\n") "|" (each "c\nd\n"))))
(test "x1\n" (show #f (show-columns (list displayed "x\n") (list displayed "1\n"))))
(test "aa bb\ncc\n" (show #f (with ((width 5)) (wrapped "aa bb cc"))))
(test "aa bb\ncc\n" (show #f (with ((width 5)) (wrapped/list '("aa" "bb" "cc")))))
(test "abc\nd\n" (show #f (with ((width 3)) (wrapped/char "abcd"))))
(test "a  b\nc\n" (show #f (with ((width 4)) (justified "a b c"))))
(test "1 x\n2 y\n" (show #f (columnar 1 (quote infinite) (line-numbers) " " "x\ny\n")))
(test-error (show #f (from-file "no-such-file")))

(test-end)
(test-exit)
