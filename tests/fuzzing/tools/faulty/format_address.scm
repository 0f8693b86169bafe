;; An address as one line.
(define (field person name)
  (let ((found (assoc name person)))
    (and found (cdr found))))

(define-tool format_address
  (description "A postal address as one line.")
  (parameters
   '((address . ((type . "object")
                 (properties . ((street . ((type . "string")))
                                (city . ((type . "string")))
                                (zip . ((type . "string")
                                        (required . #f)))))))))
  (examples '(((address . ((street . "Main St 1") (city . "Springfield")
                           (zip . "12345"))))))
  (execute
   (lambda (args)
     (let* ((address (cdr (assoc "address" args)))
            (zip (field address "zip")))
       (string-append (field address "street") ", "
                      zip " "
                      (field address "city"))))))
