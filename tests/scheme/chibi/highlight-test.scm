;;; (chibi highlight).
(import (scheme base) (chibi highlight) (chibi-bridge test))

(define (s class text) `(span (@ (class ,class)) ,text))
(define (text nodes) (apply string-append (map (lambda (n) (if (string? n) n (caddr* n))) nodes)))
(define (caddr* n) (car (cddr n)))

(test-begin "highlight")

(test `("(" ,(s "keyword" "define") " x " ,(s "string" "\"a\\\"b\"") ") " ,(s "comment" "; c") "\n" ,(s "string" "#\\a"))
      (highlight-scheme "(define x \"a\\\"b\") ; c\n#\\a"))
(test `(,(s "comment" "#| a |#") " defined") (highlight-scheme "#| a |# defined"))
(test `(,(s "preprocessor" "#include <a.h>") "\n" ,(s "type" "int") " f() { " ,(s "keyword" "return") " " ,(s "string" "'x'") "; } " ,(s "comment" "/* c */"))
      (highlight-c "#include <a.h>\nint f() { return 'x'; } /* c */"))
(test `(,(s "label" "main") ": mov " ,(s "register" "%eax") " " ,(s "comment" "; c")) (highlight-assembly "main: mov %eax ; c"))
(test '(scheme c asm) (map highlight-detect-language '("(f x)" "int main() {}" ".globl main")))
(test '(#t #t #t #f) (list (eq? highlight-scheme (highlighter-for 'scheme)) (eq? highlight-c (highlighter-for 'c))
                           (eq? highlight-assembly (highlighter-for 'asm)) (highlighter-for 'cobol)))
(test '("x") (highlight "x" 'cobol))
(test `("(" ,(s "keyword" "if") ")") (highlight (open-input-string "(if)")))
(for-each (lambda (t) (test t (text (highlight t)))) '("" "\"open" "#|" "a;b" "#\\" "(let ((x 1)) x)"))
(test #t (string? (highlight-style)))

(test-end)
(test-exit)
