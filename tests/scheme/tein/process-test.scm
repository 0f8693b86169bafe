;;; (tein process), in a sandbox; with commands in tests/scheme/test_tein_cases.py.
(import (scheme base) (tein process) (chibi-bridge test))

(test-begin "process")

(test "true" (get-environment-variable "TEIN_SANDBOX"))
(test '(("TEIN_SANDBOX" . "true")) (get-environment-variables))
(test '("tein" "--sandbox") (command-line))
(test '(0 0) (list (current-process-id) (parent-process-id)))
(test #t (procedure? exit))
(test #t (procedure? emergency-exit))
(for-each
 (lambda (run)
   (test-error (run "true"))
   (test-error (run 42)))
 (list system process->string process->bytevector process->string-list
       process->sexp process->output+error process->output+error+status))
(test '(1 2 3 4 6 8 9 10 11 12 13 14 15 17 18 19 20 21 22)
      (list signal/hang-up signal/interrupt signal/quit signal/illegal
            signal/abort signal/fpe signal/kill signal/user1 signal/segv
            signal/user2 signal/pipe signal/alarm signal/term signal/child
            signal/continue signal/stop signal/tty-stop signal/tty-input
            signal/tty-output))
(test 1 wait/no-hang)
(for-each
 (lambda (use)
   (test "not implemented"
         (guard (e (#t (error-object-message e))) (use 1))))
 (list
  call-with-process-io sleep alarm %fork fork kill execute waitpid system?
  process-command-line process-running? set-signal-action! make-signal-set
  signal-set? signal-set-contains? signal-set-fill! signal-set-add!
  signal-set-delete! current-signal-mask signal-mask-block!
  signal-mask-unblock! signal-mask-set!))

(test-end)
(test-exit)
