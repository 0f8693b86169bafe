;;; (tein load), the body.

(define (inner-path? path)
  (and (>= (string-length path) 5) (string=? (substring path 0 5) "/vfs/")))

;;> (load path [environment])
;;> Evaluate the forms of the file PATH in the program's environment; return the
;;> last one's value.
(define (load path . environment)
  (cond ((not (string? path)) (error "load: expected string argument" path))
        ((inner-path? path)
         (error "load: VFS path not found (import the library instead)" path))
        (else (apply load-file path environment))))
