;; The best of some scores.
(define-tool top_scores
  (description "The best scores, the highest first.")
  (parameters
   '((scores . ((type . "array") (items . ((type . "integer")))
                (minItems . 1)))
     (best . ((type . "integer") (minimum . 1) (maximum . 10)
              (required . #f)))))
  (returns '((type . "array") (items . ((type . "integer")))))
  (examples '(((scores . (3 9 5)) (best . 2))))
  (execute
   (lambda (args)
     (let* ((scores (list-sort > (cdr (assoc "scores" args))))
            (given (assoc "best" args))
            (best (if given (cdr given) 3)))
       (take scores (min best (length scores)))))))
