;; Amounts of money as people write them.
(define-tool parse_amount
  (description "An amount such as 1,250.00 in cents; -1 for what is none.")
  (parameters
   '((amount . ((type . "string") (pattern . "^[0-9.,]+$")))))
  (returns '((type . "integer")))
  (examples '(((amount . "1,250.00"))))
  (execute
   (lambda (args)
     (let* ((amount (cdr (assoc "amount" args)))
            (number (string->number
                     (list->string (delete #\, (string->list amount))))))
       (exact (round (* 100 number)))))))
