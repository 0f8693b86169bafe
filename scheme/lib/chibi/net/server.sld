;; A server on a socket, under chibi's names: not available.
(define-library (chibi net server)
  (export
   run-net-server make-listener-thread)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable network
      run-net-server make-listener-thread)))
