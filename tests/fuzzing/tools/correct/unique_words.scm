;; The different words of a text, in order.
(define (unique words)
  (let ((seen (make-hash-table equal?)))
    (filter (lambda (word)
              (and (not (hash-table-contains? seen word))
                   (begin (hash-table-set! seen word #t) #t)))
            words)))

(define-tool unique_words
  (description "The different words of a text, in the order they come.")
  (parameters '((text . ((type . "string")))))
  (returns '((type . "array") (items . ((type . "string")))))
  (examples '(((text . "to be or not to be"))))
  (execute
   (lambda (args)
     (unique (filter (lambda (word) (not (string-null? word)))
                     (string-split (cdr (assoc "text" args)) " "))))))
