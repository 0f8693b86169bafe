;;; (scheme process-context), the body.

;;> (command-line)
;;> Return the command line, a list of strings.
(define (command-line) (%host-call 'command-line))

;;> (get-environment-variable name)
;;> Return the value of the environment variable NAME, or #f.
(define (get-environment-variable name)
  (if (not (string? name))
      (error "get-environment-variable: not a string" name))
  (%host-call 'get-environment-variable name))

;;> (get-environment-variables)
;;> Return an alist of all environment variables, names and values strings.
(define (get-environment-variables)
  (%host-call 'get-environment-variables))

;; These two are the engine's.

;;> (exit [obj])
;;> End the run after the after-thunks of dynamic-wind; OBJ is its exit code, #t or
;;> nothing 0, #f 1. No handler sees it.

;;> (emergency-exit [obj])
;;> End the run at once.
