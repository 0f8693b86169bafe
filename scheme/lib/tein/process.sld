;; The program's surroundings, and commands of the host where the policy grants
;; them (process). What the last group exports raises "not implemented".
(define-library (tein process)
  (export
   ;; surroundings
   get-environment-variable get-environment-variables command-line
   exit emergency-exit current-process-id parent-process-id
   ;; commands
   system process->string process->bytevector process->string-list
   process->sexp process->output+error process->output+error+status
   ;; constants
   signal/hang-up signal/interrupt signal/quit signal/illegal signal/abort
   signal/fpe signal/kill signal/user1 signal/segv signal/user2 signal/pipe
   signal/alarm signal/term signal/child signal/continue signal/stop
   signal/tty-stop signal/tty-input signal/tty-output
   wait/no-hang
   ;; not implemented
   call-with-process-io sleep alarm %fork fork kill execute waitpid system?
   process-command-line process-running? set-signal-action! make-signal-set
   signal-set? signal-set-contains? signal-set-fill! signal-set-add!
   signal-set-delete! current-signal-mask signal-mask-block!
   signal-mask-unblock! signal-mask-set!)
  (import (scheme base) (only (scheme cxr) caddr) (scheme process-context)
          (scheme read)
          (only (%core) %host-call))
  (include "not-implemented.scm" "process.scm"))
