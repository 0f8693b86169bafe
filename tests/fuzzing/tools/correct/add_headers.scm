;; Headers of a request, the usual ones first.
(define (usual) (list "accept: json" "agent: tool"))

(define-tool add_headers
  (description "The usual headers, and those given.")
  (parameters
   '((headers . ((type . "array") (items . ((type . "string")))))))
  (examples '(((headers . ()))))
  (execute
   (lambda (args)
     (string-join (append (usual) (cdr (assoc "headers" args))) "\n"))))
