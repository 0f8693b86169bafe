;;; (scheme file), the body.

(define (check-path who path)
  (if (not (string? path))
      (error (string-append (symbol->string who) ": not a string") path)))

;;> (open-input-file path)
;;> Return a textual input port over the text of the file PATH.
(define (open-input-file path)
  (check-path 'open-input-file path)
  (open-input-string (%host-call 'read-file path)))

;;> (open-binary-input-file path)
;;> Return a binary input port over the bytes of the file PATH.
(define (open-binary-input-file path)
  (check-path 'open-binary-input-file path)
  (open-input-bytevector (%host-call 'read-file-bytes path)))

;;> (open-output-file path)
;;> Make the file PATH empty and return a textual output port to it.
(define (open-output-file path)
  (check-path 'open-output-file path)
  (%host-call 'write-file path "")
  (%open-file-port (open-output-string) path))

;;> (open-binary-output-file path)
;;> Make the file PATH empty and return a binary output port to it.
(define (open-binary-output-file path)
  (check-path 'open-binary-output-file path)
  (%host-call 'write-file-bytes path (bytevector))
  (%open-file-port (open-output-bytevector) path))

;;> (call-with-input-file path procedure)
;;> Call PROCEDURE with an input port over PATH; close it after a return.
(define (call-with-input-file path procedure)
  (call-with-port (open-input-file path) procedure))

;;> (call-with-output-file path procedure)
;;> Call PROCEDURE with an output port to PATH; close it after a return.
(define (call-with-output-file path procedure)
  (call-with-port (open-output-file path) procedure))

;;> (with-input-from-file path thunk)
;;> Call THUNK with PATH as current input.
(define (with-input-from-file path thunk)
  (call-with-input-file path
    (lambda (port)
      (parameterize ((current-input-port port)) (thunk)))))

;;> (with-output-to-file path thunk)
;;> Call THUNK with PATH as current output.
(define (with-output-to-file path thunk)
  (call-with-output-file path
    (lambda (port)
      (parameterize ((current-output-port port)) (thunk)))))

;;> (file-exists? path)
;;> Return #t if there is a file PATH.
(define (file-exists? path)
  (check-path 'file-exists? path)
  (%host-call 'file-exists? path))

;;> (delete-file path)
;;> Delete the file PATH; an error if it cannot be.
(define (delete-file path)
  (check-path 'delete-file path)
  (%host-call 'delete-file path))
