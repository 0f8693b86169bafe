;; Which of some words stand there more than once?
(define (sorted words) (list-sort string<? words))

(define (repeated words)
  (let loop ((rest words) (found '()))
    (cond ((or (null? rest) (null? (cdr rest))) (reverse found))
          ((and (string=? (car rest) (cadr rest))
                (not (member (car rest) found)))
           (loop (cdr rest) (cons (car rest) found)))
          (else (loop (cdr rest) found)))))

(define-tool find_duplicates
  (description "The words that occur more than once, each once, sorted.")
  (parameters
   '((words . ((type . "array") (items . ((type . "string")))))))
  (returns '((type . "array") (items . ((type . "string")))))
  (examples '(((words . ("a" "b" "b")))))
  (execute
   (lambda (args) (sorted (repeated (cdr (assoc "words" args)))))))
