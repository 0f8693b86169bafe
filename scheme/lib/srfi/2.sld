;; SRFI 2: and-let*.
(define-library (srfi 2)
  (export and-let*)
  (import (scheme base))
  (begin
    ;;> (and-let* (clause ...) body ...)
    ;;> Like and, with names for results on the way. A clause is (name
    ;;> expression), (expression), or a name.
    ;;> (and-let* ((x (assq 'a '((a . 1)))) ((pair? x))) (cdr x)) => 1
    (define-syntax and-let*
      (syntax-rules ()
        ((_ ()) #t)
        ((_ () body ...) (let () body ...))
        ((_ ((name expression))) (let ((name expression)) name))
        ((_ ((expression))) expression)
        ((_ (name)) name)
        ((_ ((name expression) . clauses) . body)
         (let ((name expression))
           (if name (and-let* clauses . body) #f)))
        ((_ ((expression) . clauses) . body)
         (if expression (and-let* clauses . body) #f))
        ((_ (name . clauses) . body)
         (if name (and-let* clauses . body) #f))))))
