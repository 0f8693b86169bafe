;; Labels of one width for a table.
(define (width-of text) (string-length text))

(define-tool pad_label
  (description "A label, padded with dots on its right to a width.")
  (parameters
   '((label . ((type . "string")))
     (width . ((type . "integer") (minimum . 0) (maximum . 200)
               (default . 12)))))
  (examples '(((label . "total") (width . 12))))
  (execute
   (lambda (args)
     (let* ((label (cdr (assoc "label" args)))
            (width (cdr (assoc "width" args)))
            (missing (- width (width-of label))))
       (if (> missing 0)
           (string-append label (make-string missing #\.))
           label)))))
