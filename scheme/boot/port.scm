;;; Ports: the current ports as parameters, and the procedures of R7RS 6.13
;;; whose port argument may be left out. The primitives take the port always.

(define (%check-port-type name)
  (lambda (port)
    (if (not (port? port)) (%raise-type name 0 "port" port))
    port))

(define current-output-port
  (%make-parameter (%console-port 0) (%check-port-type 'current-output-port)))

(define current-error-port
  (%make-parameter (%console-port 1) (%check-port-type 'current-error-port)))

(define current-input-port
  (%make-parameter (%console-port 2) (%check-port-type 'current-input-port)))

;; -- output ------------------------------------------------------------------

(define write
  (case-lambda
    ((object) (%write object (current-output-port)))
    ((object port) (%write object port))))

(define write-shared
  (case-lambda
    ((object) (%write-shared object (current-output-port)))
    ((object port) (%write-shared object port))))

(define write-simple
  (case-lambda
    ((object) (%write-simple object (current-output-port)))
    ((object port) (%write-simple object port))))

(define display
  (case-lambda
    ((object) (%display object (current-output-port)))
    ((object port) (%display object port))))

(define newline
  (case-lambda
    (() (%newline (current-output-port)))
    ((port) (%newline port))))

(define write-char
  (case-lambda
    ((char) (%write-char char (current-output-port)))
    ((char port) (%write-char char port))))

(define write-string
  (case-lambda
    ((string) (%write-string string (current-output-port)))
    ((string port) (%write-string string port))
    ((string port start) (%write-string string port start))
    ((string port start end) (%write-string string port start end))))

(define write-u8
  (case-lambda
    ((byte) (%write-u8 byte (current-output-port)))
    ((byte port) (%write-u8 byte port))))

(define write-bytevector
  (case-lambda
    ((bytes) (%write-bytevector bytes (current-output-port)))
    ((bytes port) (%write-bytevector bytes port))
    ((bytes port start) (%write-bytevector bytes port start))
    ((bytes port start end) (%write-bytevector bytes port start end))))

;; An output port to a file has the file's path as its extra; the host writes
;; the file as a whole when the port is flushed or closed. If the extra is a
;; procedure, it is called with what was written since the last time.
(define (%open-file-port port path)
  (%set-port-extra! port path)
  port)

(define (%flush-file port)
  (let ((sink (%port-extra port)))
    (cond ((procedure? sink) (sink (%port-take! port)))
          ((not (string? sink)) #f)
          ((textual-port? port)
           (%host-call 'write-file sink (get-output-string port)))
          (else
           (%host-call 'write-file-bytes sink
                       (get-output-bytevector port))))))

(define (%flush-output-port port)
  (%flush port)
  (%flush-file port))

(define flush-output-port
  (case-lambda
    (() (%flush-output-port (current-output-port)))
    ((port) (%flush-output-port port))))

(define (%finish-file port)
  (if (and (port? port) (output-port? port) (%port-extra port))
      (begin
        (%flush-file port)
        (%set-port-extra! port #f))))

(define (close-port port)
  (%finish-file port)
  (%close-port port))

(define (close-output-port port)
  (%finish-file port)
  (%close-output-port port))

(define (close-input-port port) (%close-input-port port))

;; -- input -------------------------------------------------------------------

;; Call (READ PORT); where a port fed from elsewhere ran dry, get the next block
;; and try again. Its source is a procedure to be called or what the host knows.
(define (%try read port)
  (let ((result (read port)))
    (if (default-object? result)
        (let ((source (%port-source port)))
          (%port-feed! port (if (procedure? source)
                                (source)
                                (%host-call 'read-block source)))
          (%try read port))
        result)))

(define read
  (case-lambda
    (() (%try %read (current-input-port)))
    ((port) (%try %read port))))

(define read-char
  (case-lambda
    (() (%try %read-char (current-input-port)))
    ((port) (%try %read-char port))))

(define peek-char
  (case-lambda
    (() (%try %peek-char (current-input-port)))
    ((port) (%try %peek-char port))))

(define char-ready?
  (case-lambda
    (() (%char-ready? (current-input-port)))
    ((port) (%char-ready? port))))

(define read-line
  (case-lambda
    (() (%try %read-line (current-input-port)))
    ((port) (%try %read-line port))))

(define read-string
  (case-lambda
    ((k) (read-string k (current-input-port)))
    ((k port) (%try (lambda (port) (%read-string k port)) port))))

(define read-u8
  (case-lambda
    (() (%try %read-u8 (current-input-port)))
    ((port) (%try %read-u8 port))))

(define peek-u8
  (case-lambda
    (() (%try %peek-u8 (current-input-port)))
    ((port) (%try %peek-u8 port))))

(define u8-ready?
  (case-lambda
    (() (%u8-ready? (current-input-port)))
    ((port) (%u8-ready? port))))

(define read-bytevector
  (case-lambda
    ((k) (read-bytevector k (current-input-port)))
    ((k port) (%try (lambda (port) (%read-bytevector k port)) port))))

(define read-bytevector!
  (case-lambda
    ((bytes) (read-bytevector! bytes (current-input-port)))
    ((bytes port)
     (%try (lambda (port) (%read-bytevector! bytes port)) port))
    ((bytes port start)
     (%try (lambda (port) (%read-bytevector! bytes port start)) port))
    ((bytes port start end)
     (%try (lambda (port) (%read-bytevector! bytes port start end)) port))))

;; -- port lifetimes ---------------------------------------------------------

(define (call-with-port port procedure)
  (call-with-values
      (lambda () (procedure port))
    (lambda results
      (close-port port)
      (apply values results))))

(define (call-with-output-string procedure)
  (let ((port (open-output-string)))
    (procedure port)
    (get-output-string port)))

(define (%write-to-string object)
  (call-with-output-string (lambda (port) (%write object port))))
