;; What a tool may ask of the program that runs it. The host answers; outside of
;; a tool's call it refuses.
(define-library (harness tools)
  (export call-tool)
  (import (scheme base) (only (%core) %host-call))
  (begin
    ;;> (call-tool name arguments)
    ;;> Call another tool by its name, a string, with an alist of arguments.
    ;;> Return the text of its result; an error "tool error: ..." where it
    ;;> fails.
    (define (call-tool name arguments)
      (if (not (string? name))
          (error "call-tool: the name of a tool is a string" name))
      (%host-call 'call-tool name arguments))))
