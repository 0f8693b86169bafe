;; By how much something grew.
(define-tool percent_change
  (description "The change from one value to another in percent.")
  (parameters
   '((before . ((type . "integer") (minimum . -1000000) (maximum . 1000000)))
     (after . ((type . "integer") (minimum . -1000000) (maximum . 1000000)))))
  (examples '(((before . 50) (after . 75))))
  (execute
   (lambda (args)
     (let ((before (cdr (assoc "before" args)))
           (after (cdr (assoc "after" args))))
       (if (= before 0)
           "undefined"
           (string-append
            (number->string (round (/ (* 100 (- after before)) before)))
            "%"))))))
