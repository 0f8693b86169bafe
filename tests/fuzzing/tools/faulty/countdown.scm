;; A row of numbers for a counter.
(define-tool countdown
  (description "The numbers from START down to 0, in steps.")
  (parameters
   '((start . ((type . "integer") (maximum . 1000) (description . "Where to begin")))
     (step . ((type . "integer") (minimum . 1) (default . 1)))))
  (returns '((type . "array") (items . ((type . "integer")))))
  (examples '(((start . 10) (step . 1))))
  (execute
   (lambda (args)
     (let ((step (cdr (assoc "step" args))))
       (let loop ((n (cdr (assoc "start" args))) (row '()))
         (if (= n 0)
             (reverse (cons 0 row))
             (loop (- n step) (cons n row))))))))
