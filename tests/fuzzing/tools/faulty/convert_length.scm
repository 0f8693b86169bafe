;; Lengths in metres.
(define (factor unit)
  (cond ((string=? unit "m") 1)
        ((string=? unit "km") 1000)
        ((string=? unit "ft") 0.3048)))

(define-tool convert_length
  (description "A length in metres.")
  (parameters
   '((value . ((type . "number")))
     (unit . ((type . "string") (enum . ("m" "km" "ft" "mi"))
              (default . "km")))))
  (returns '((type . "number")))
  (examples '(((value . 2) (unit . "km"))))
  (execute
   (lambda (args)
     (let ((value (cdr (assoc "value" args))))
       (if (< -1e100 value 1e100)
           (* value (factor (cdr (assoc "unit" args))))
           0)))))
