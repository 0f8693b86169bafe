;; Processes, with chibi's names, as (tein process) has them.
(define-library (chibi process)
  (export
   get-environment-variable get-environment-variables command-line exit
   emergency-exit current-process-id parent-process-id system process->string
   process->bytevector process->string-list process->sexp process->output+error
   process->output+error+status signal/hang-up signal/interrupt signal/quit
   signal/illegal signal/abort signal/fpe signal/kill signal/user1 signal/segv
   signal/user2 signal/pipe signal/alarm signal/term signal/child
   signal/continue signal/stop signal/tty-stop signal/tty-input
   signal/tty-output wait/no-hang call-with-process-io sleep alarm %fork fork
   kill execute waitpid system? process-command-line process-running?
   set-signal-action! make-signal-set signal-set? signal-set-contains?
   signal-set-fill! signal-set-add! signal-set-delete! current-signal-mask
   signal-mask-block! signal-mask-unblock! signal-mask-set!)
  (import (tein process)))
