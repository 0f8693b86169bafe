;; The calendar.
(define (leap? year)
  (or (= 0 (modulo year 400))
      (and (= 0 (modulo year 4)) (not (= 0 (modulo year 100))))))

(define-tool days_in_month
  (description "How many days a month of the Gregorian calendar has.")
  (parameters
   '((year . ((type . "integer") (minimum . 1583) (maximum . 2999)))
     (month . ((type . "integer") (minimum . 1) (maximum . 12)))))
  (returns '((type . "integer") (minimum . 28) (maximum . 31)))
  (examples '(((year . 2024) (month . 2))))
  (execute
   (lambda (args)
     (let ((year (cdr (assoc "year" args))) (month (cdr (assoc "month" args))))
       (if (and (= month 2) (leap? year))
           29
           (vector-ref #(31 28 31 30 31 30 31 31 30 31 30 31)
                       (- month 1)))))))
