;;; R7RS 6.12 Environments and evaluation.
(import (scheme base) (scheme eval) (scheme repl) (chibi-bridge test))

(test-begin "6.12 Environments and evaluation")

(test 21 (eval '(* 7 3) (environment '(scheme base))))
(test 20 (let ((f (eval '(lambda (f x) (f x x)) (environment '(scheme base)))))
           (f + 10)))
(test 1024 (eval '(expt 2 10) (environment '(only (scheme base) expt))))
(test-error (eval '(car '(1)) (environment '(only (scheme base) cdr quote))))
(test 3 (eval '(b:+ 1 2) (environment '(prefix (only (scheme base) +) b:))))
(test-error (environment '(no such library)))
(eval '(define from-eval 5) (interaction-environment))
(test 5 (eval 'from-eval (interaction-environment)))
(test '(err err err err err err)
      (map (lambda (form)
             (guard (e (#t 'err))
               (eval form (environment '(scheme base)))
               'accepted))
           '((if) (let) (lambda) (let ((x)) x) (quote) (let ((1 2)) 3))))

(test-end)
(test-exit)
