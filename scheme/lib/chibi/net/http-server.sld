;; An HTTP server, under chibi's names: not available.
(define-library (chibi net http-server)
  (export
   run-http-server http-chain-servlets http-default-servlet http-wrap-default
   http-file-servlet http-procedure-servlet http-ext-servlet
   http-regexp-servlet http-path-regexp-servlet http-uri-regexp-servlet
   http-host-regexp-servlet http-redirect-servlet http-rewrite-servlet
   http-cgi-bin-dir-servlet http-scheme-script-dir-servlet http-send-file
   http-send-directory)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable network
      run-http-server http-chain-servlets http-default-servlet
      http-wrap-default http-file-servlet http-procedure-servlet
      http-ext-servlet http-regexp-servlet http-path-regexp-servlet
      http-uri-regexp-servlet http-host-regexp-servlet http-redirect-servlet
      http-rewrite-servlet http-cgi-bin-dir-servlet
      http-scheme-script-dir-servlet http-send-file http-send-directory)))
