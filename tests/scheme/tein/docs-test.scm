;;; (tein docs).
(import (scheme base) (tein docs) (chibi-bridge test))

(define docs '((__module__ . "tein x") (f . "Text.") (g . "")))

(test-begin "docs")

(test "tein x" (module-doc docs '__module__))
(test '("" #f) (list (module-doc docs 'g) (module-doc docs 'h)))
(test '((f . "Text.") (g . "")) (module-docs docs))
(test "(tein x)\n  f \x2014; Text.\n  g\n" (describe docs))
(test "" (describe '()))
(for-each (lambda (value)
            (test "describe expects a docs alist"
                  (substring (describe value) 0 29)))
          '(symbol 42 "text" (1 2)))
(test #t (string? (module-doc '(tein json) 'json-parse)))
(test #f (module-doc '(tein json) 'no-such-name))
(test '(make-uuid uuid-nil uuid?)
      (let ((names (map car (module-docs '(tein uuid)))))
        (map (lambda (name) (car (memq name names))) '(make-uuid uuid-nil uuid?))))
(test "(tein uuid)\n" (substring (describe '(tein uuid)) 0 12))
(test-error (module-doc '(no such library) 'f))
(test-error (module-doc 42 'f))
(test-error (module-docs '(1)))

(test-end)
(test-exit)
