;;; (cap proc), the body.

(define (strings? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest) (and (string? (car rest)) (loop (cdr rest)))))))

(define nil (if #f #f))

(define (option name options)
  (let ((found (assoc name options)))
    (if (and found (cdr found)) (cdr found) nil)))

(define (environment-map options)
  (let ((found (assoc "env" options)))
    (apply json-object
           (if found
               (let loop ((rest (cdr found)) (args '()))
                 (if (null? rest)
                     args
                     (loop (cdr rest)
                           (cons (caar rest) (cons (cdar rest) args)))))
               '()))))

(define (field answer name good?)
  (cons name (cap-field "proc.run" answer name good?)))

;;> (proc-run argv [options])
;;> Run a command, a list of strings, and return an alist: exit_code, stdout,
;;> stderr, stdout_truncated, stderr_truncated, timed_out. An exit code that is
;;> not 0 is no error. OPTIONS is an alist of cwd, env, stdin and timeout_ms; a
;;> harness may refuse them.
(define (proc-run argv . rest)
  (let ((options (if (pair? rest) (car rest) '())))
    (check-argument 'proc-run 0 strings? "list of strings" argv)
    (check-argument 'proc-run 1 list? "alist" options)
    (let ((answer (cap-call "proc.run"
                            "argv" argv
                            "cwd" (option "cwd" options)
                            "env" (environment-map options)
                            "stdin" (option "stdin" options)
                            "timeout_ms" (option "timeout_ms" options))))
      (list (field answer "exit_code" exact-integer?)
            (field answer "stdout" string?)
            (field answer "stderr" string?)
            (field answer "stdout_truncated" boolean?)
            (field answer "stderr_truncated" boolean?)
            (field answer "timed_out" boolean?)))))
