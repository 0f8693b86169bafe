;; Values of any kind in one line.
(define (text-of value)
  (cond ((string? value) value)
        ((number? value) (number->string value))
        (else (string-append "(" (symbol->string value) ")"))))

(define-tool join_values
  (description "Put values into one line, with a separator between them.")
  (parameters
   '((values . ((type . "array") (description . "What to put in the line")))
     (separator . ((type . "string") (default . ", ")))))
  (examples '(((values . ("a" "b")))))
  (execute
   (lambda (args)
     (string-join (map text-of (cdr (assoc "values" args)))
                  (cdr (assoc "separator" args))))))
