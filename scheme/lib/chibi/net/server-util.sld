;; Parts of servers, under chibi's names: not available.
(define-library (chibi net server-util)
  (export
   line-handler command-handler parse-command get-host file-mime-type
   call-with-temp-file)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable network
      line-handler command-handler parse-command get-host file-mime-type
      call-with-temp-file)))
