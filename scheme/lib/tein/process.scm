;;; (tein process), the body.

;;> (current-process-id)
;;> Return the number of the host's process; 0 in a sandbox.
(define (current-process-id) (%host-call 'current-process-id))

;;> (parent-process-id)
;;> Return the number of the process that started the host's; 0 in a sandbox.
(define (parent-process-id) (%host-call 'parent-process-id))

;; A command is one string for the shell, or a list of a program and its arguments.
(define (check-command who command)
  (if (not (or (string? command)
               (and (pair? command) (list? command)
                    (let loop ((words command))
                      (or (null? words)
                          (and (string? (car words)) (loop (cdr words))))))))
      (error (string-append who ": a command is a string or a list of strings")
             command)))

;;> (system command)
;;> Run a command, a string for the shell, and return its exit status; -1 if a
;;> signal ended it.
(define (system command . arguments)
  (let ((command (if (null? arguments) command (cons command arguments))))
    (check-command "system" command)
    (caddr (%host-call 'process-run command))))

;; The list of output, errors (both bytes) and status.
(define (run who command)
  (check-command who command)
  (%host-call 'process-run command))

;;> (process->bytevector command)
;;> Run a command and return what it printed, bytes.
(define (process->bytevector command)
  (car (run "process->bytevector" command)))

;;> (process->string command)
;;> Run a command and return what it printed, a string.
(define (process->string command)
  (utf8->string (car (run "process->string" command))))

;;> (process->sexp command)
;;> Run a command and return the first datum of what it printed.
(define (process->sexp command)
  (read (open-input-string (process->string command))))

;;> (process->string-list command)
;;> Run a command and return the lines that it printed, a list of strings.
(define (process->string-list command)
  (let ((in (open-input-string (process->string command))))
    (let loop ((lines '()))
      (let ((line (read-line in)))
        (if (eof-object? line)
            (reverse lines)
            (loop (cons line lines)))))))

;;> (process->output+error command)
;;> Run a command and return a list of what it printed to its output and to its
;;> error output, strings.
(define (process->output+error command)
  (let ((result (run "process->output+error" command)))
    (list (utf8->string (car result)) (utf8->string (cadr result)))))

;;> (process->output+error+status command)
;;> The same with the exit status as third.
(define (process->output+error+status command)
  (let ((result (run "process->output+error+status" command)))
    (list (utf8->string (car result)) (utf8->string (cadr result))
          (caddr result))))

;;> signal/hang-up signal/interrupt signal/quit signal/illegal signal/abort
;;> signal/fpe signal/kill signal/user1 signal/segv signal/user2 signal/pipe
;;> signal/alarm signal/term signal/child signal/continue signal/stop
;;> signal/tty-stop signal/tty-input signal/tty-output
;;> Numbers of signals, as on Linux.
(define signal/hang-up 1)
(define signal/interrupt 2)
(define signal/quit 3)
(define signal/illegal 4)
(define signal/abort 6)
(define signal/fpe 8)
(define signal/kill 9)
(define signal/user1 10)
(define signal/segv 11)
(define signal/user2 12)
(define signal/pipe 13)
(define signal/alarm 14)
(define signal/term 15)
(define signal/child 17)
(define signal/continue 18)
(define signal/stop 19)
(define signal/tty-stop 20)
(define signal/tty-input 21)
(define signal/tty-output 22)

;;> wait/no-hang
;;> A flag of waitpid.
(define wait/no-hang 1)

;;> call-with-process-io sleep alarm %fork fork kill execute waitpid system?
;;> process-command-line process-running? set-signal-action! make-signal-set
;;> signal-set? signal-set-contains? signal-set-fill! signal-set-add!
;;> signal-set-delete! current-signal-mask signal-mask-block!
;;> signal-mask-unblock! signal-mask-set!
;;> Not implemented: a call raises an error that says so.
(define-not-implemented
  call-with-process-io sleep alarm %fork fork kill execute waitpid system?
  process-command-line process-running? set-signal-action! make-signal-set
  signal-set? signal-set-contains? signal-set-fill! signal-set-add!
  signal-set-delete! current-signal-mask signal-mask-block!
  signal-mask-unblock! signal-mask-set!)
