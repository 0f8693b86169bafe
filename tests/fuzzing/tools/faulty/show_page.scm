;; One page of a long list.
(define-tool show_page
  (description "One page of some items, counted from 1.")
  (parameters
   '((items . ((type . "array") (items . ((type . "string")))))
     (page . ((type . "integer") (minimum . 1) (default . 1)))
     (size . ((type . "integer") (minimum . 1) (maximum . 50)
              (default . 10)))))
  (returns '((type . "array") (items . ((type . "string")))))
  (examples '(((items . ("a" "b" "c")) (page . 1) (size . 2))))
  (execute
   (lambda (args)
     (let* ((items (cdr (assoc "items" args)))
            (size (cdr (assoc "size" args)))
            (start (* size (- (cdr (assoc "page" args)) 1))))
       (let ((rest (list-tail items start)))
         (take rest (min size (length rest))))))))
