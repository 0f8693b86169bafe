;; The first lines of a text.
(define (lines text) (string-split text "\n"))

(define-tool first_lines
  (description "The first COUNT lines of a text.")
  (parameters
   '((text . ((type . "string") (description . "The text")))
     (count . ((type . "integer") (minimum . 1) (maximum . 1000)
               (default . 2)))))
  (examples '(((text . "a\nb\nc\nd") (count . 2))))
  (execute
   (lambda (args)
     (let ((all (lines (cdr (assoc "text" args))))
           (count (cdr (assoc "count" args))))
       (string-join (take all count) "\n")))))
