;; The mean of a list of numbers.
(define-tool average
  (description "The arithmetic mean of some numbers, 0 where there are none.")
  (parameters
   '((numbers . ((type . "array") (items . ((type . "number")))
                 (description . "The numbers")))))
  (returns '((type . "number")))
  (examples '(((numbers . (1 2 3)))))
  (execute
   (lambda (args)
     (let ((numbers (cdr (assoc "numbers" args))))
       (if (null? numbers)
           0
           (let ((sum (fold + 0 numbers)))
             (if (exact? sum)
                 (exact->inexact (/ sum (length numbers)))
                 (fold + 0.0 (map (lambda (x) (/ x (length numbers)))
                                  numbers)))))))))
