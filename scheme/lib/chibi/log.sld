;; Logging to files, under chibi's names: not available. What a program writes
;; to (current-error-port) is kept for the host.
(define-library (chibi log)
  (export
   logger? logger-levels logger-levels-set! logger-level-abbrevs
   logger-level-abbrevs-set! logger-current-level logger-current-level-set!
   logger-prefix logger-prefix-set! logger-counts logger-counts-set!
   logger-file logger-file-set! logger-port logger-port-set! logger-locked?
   logger-locked?-set! logger-zipped? logger-zipped?-set! log-open log-close
   log-show log-show-every-n log-compile-prefix log-level-index log-level-name
   log-level-abbrev Logger default-logger define-logger with-logged-errors
   with-logged-and-reraised-errors log-emergency log-alert log-critical
   log-error log-warn log-notice log-info log-debug log-trace with-log-level)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable log-files
      logger? logger-levels logger-levels-set! logger-level-abbrevs
      logger-level-abbrevs-set! logger-current-level logger-current-level-set!
      logger-prefix logger-prefix-set! logger-counts logger-counts-set!
      logger-file logger-file-set! logger-port logger-port-set! logger-locked?
      logger-locked?-set! logger-zipped? logger-zipped?-set! log-open log-close
      log-show log-show-every-n log-compile-prefix log-level-index
      log-level-name log-level-abbrev Logger default-logger)
    (define-unavailable-syntax log-files
      define-logger with-logged-errors with-logged-and-reraised-errors
      log-emergency log-alert log-critical log-error log-warn log-notice
      log-info log-debug log-trace with-log-level)))
