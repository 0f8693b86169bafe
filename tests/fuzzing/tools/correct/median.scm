;; The middle of some numbers.
(define-tool median
  (description "The median of some numbers.")
  (parameters
   '((numbers . ((type . "array") (items . ((type . "integer")))
                 (minItems . 1)))))
  (returns '((type . "number")))
  (examples '(((numbers . (3 1 2)))))
  (execute
   (lambda (args)
     (let* ((numbers (list-sort < (cdr (assoc "numbers" args))))
            (count (length numbers))
            (middle (quotient count 2))
            (upper (list-ref numbers middle)))
       (if (odd? count)
           upper
           (let ((half (/ (+ upper (list-ref numbers (- middle 1))) 2)))
             (if (integer? half) half (+ (floor half) 0.5))))))))
