;; Shares of a bill in cents; the first ones pay what does not divide.
(define-tool split_bill
  (description "Share a bill of so many cents between people.")
  (parameters
   '((cents . ((type . "integer") (minimum . 0)))
     (people . ((type . "integer") (minimum . 1) (maximum . 100)
                (default . 2)))))
  (returns '((type . "array") (items . ((type . "integer")))))
  (examples '(((cents . 1000) (people . 2))))
  (execute
   (lambda (args)
     (let* ((cents (cdr (assoc "cents" args)))
            (people (cdr (assoc "people" args)))
            (share (quotient cents people))
            (over (remainder cents people)))
       (map (lambda (i) (if (< i over) (+ share 1) share))
            (iota people))))))
