;; The initials of a name.
(define (words text)
  (string-split text " "))

(define-tool initials
  (description "The initials of a name, upper case.")
  (parameters '((name . ((type . "string") (minLength . 1)))))
  (examples '(((name . "ada lovelace"))))
  (execute
   (lambda (args)
     (apply string-append
            (map (lambda (word)
                   (string (char-upcase (string-ref word 0))))
                 (words (cdr (assoc "name" args))))))))
