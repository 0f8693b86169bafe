;; The group an age belongs to.
(define-tool classify_age
  (description "The age group of a person.")
  (parameters '((age . ((type . "integer")))))
  (returns '((type . "string") (enum . ("child" "adult" "senior" "invalid"))))
  (examples '(((age . 30))))
  (execute
   (lambda (args)
     (let ((age (cdr (assoc "age" args))))
       (cond ((< age 0) "invalid")
             ((< age 18) "child")
             ((< age 65) "adult")
             ((<= age 150) "senior")
             (else "unknown"))))))
