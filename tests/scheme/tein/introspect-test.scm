;;; (tein introspect).
(import (scheme base) (scheme case-lambda) (scheme write) (tein introspect)
        (chibi-bridge test))

(define my-test-var 42)
(define (my-test-procedure a . rest) a)
(define-syntax my-test-macro (syntax-rules () ((_) 1)))

(define (field key name) (cdr (assq key (binding-info name))))

(test-begin "introspect")

(test #t (and (member '(scheme base) (available-modules)) #t))
(test #f (member '(chibi-bridge string) (available-modules)))
(test #t (and (member '(tein introspect) (imported-modules)) #t))
(test #f (member '(srfi 1) (imported-modules)))
(test '(display write write-shared write-simple)
      (module-exports '(scheme write)))
(test-error (module-exports '(no such module)))
(test-error (module-exports "scheme base"))
(test '((my-test-macro . syntax) (my-test-procedure . procedure)
        (my-test-var . variable))
      (env-bindings "my-test-"))
(test 'procedure (cdr (assq 'map (env-bindings))))
(test '() (env-bindings "no-such-prefix"))
(test-error (env-bindings 42))
(test '((2 . 2) (1 . #f) (0 . #f) (2 . 2) (1 . 3) #f)
      (map procedure-arity
           (list (lambda (a b) a) my-test-procedure list cons
                 (case-lambda ((a) 1) ((a b c) 2)) 42)))
(test '(cons procedure (2 . 2) (scheme base))
      (list (field 'name 'cons) (field 'kind 'cons) (field 'arity 'cons)
            (field 'module 'cons)))
(test '((name . my-test-var) (kind . variable)) (binding-info 'my-test-var))
(test #f (binding-info 'no-such-name))
(test-error (binding-info "map"))
(test #t (string? (field 'doc 'available-modules)))
(let ((modules (cdr (assq 'modules (describe-environment)))))
  (test '((name scheme write) (exports display write write-shared write-simple))
        (assoc '(name scheme write) modules)))
(test "The environment of this program"
      (substring (describe-environment/text) 0 31))
(test "tein introspect" (cdr (assq '__module__ introspect-docs)))

(test-end)
(test-exit)
