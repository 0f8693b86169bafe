;; Ports: reading whole ports, custom ports, ports over ports. A custom output
;; port hands on what was written when it is flushed or closed. file-position and
;; its relatives are left out: a port of ours has no file behind it.
(define-library (chibi io)
  (export
   ;; reading and writing
   read-string read-string! read-line write-line write-string
   port-fold port-fold-right port-map
   port->list port->string-list port->sexp-list port->string port->bytevector
   file->string file->string-list file->sexp-list file->bytevector
   ;; making ports
   make-custom-input-port make-custom-output-port
   make-custom-binary-input-port make-custom-binary-output-port
   make-null-input-port make-null-output-port make-broadcast-port
   make-concatenated-port make-generated-input-port
   make-generated-binary-input-port make-filtered-input-port
   make-filtered-output-port
   call-with-input-string call-with-output-string
   string-count-chars
   ;; of (scheme base)
   open-input-bytevector open-output-bytevector get-output-bytevector
   string->utf8 utf8->string write-u8 read-u8 peek-u8)
  (import (rename (scheme base) (read-line base:read-line)
                  (read-string base:read-string))
          (scheme read) (scheme file) (only (scheme write) display)
          (only (chibi string) string-count call-with-input-string)
          (only (%core) %make-host-input-port %set-port-extra!
                call-with-output-string))
  (include "io.scm"))
