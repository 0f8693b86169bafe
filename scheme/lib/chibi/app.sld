;; Applications with options of the command line, under chibi's names: not
;; available. SRFI 37 takes options apart.
(define-library (chibi app)
  (export
   parse-option parse-options parse-app run-application app-help
   app-help-command)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable command-line
      parse-option parse-options parse-app run-application app-help
      app-help-command)))
