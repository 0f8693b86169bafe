;; A few items of a list.
(define (spread items most)
  (let ((step (quotient (length items) most)))
    (map (lambda (i) (list-ref items (* i step))) (iota most))))

(define-tool sample_items
  (description "At most three items of a list, evenly spread.")
  (parameters
   '((items . ((type . "array") (items . ((type . "string")))))))
  (returns '((type . "array") (maxItems . 3)))
  (examples '(((items . ("a" "b" "c")))))
  (execute
   (lambda (args)
     (let ((items (cdr (assoc "items" args))))
       (if (<= (length items) 3) items (spread items 3))))))
