;; Headers of a request, the usual ones first.
(define usual (list "accept: json" "agent: tool"))

(define-tool add_headers
  (description "The usual headers, and those given.")
  (parameters
   '((headers . ((type . "array") (items . ((type . "string")))))))
  (examples '(((headers . ()))))
  (execute
   (lambda (args)
     (set-cdr! (last-pair usual) (list-copy (cdr (assoc "headers" args))))
     (string-join usual "\n"))))
