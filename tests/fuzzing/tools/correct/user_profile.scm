;; A user of a web service, by name.
(import (tein http))

(define tool-http-allow '("https://api.example.com/v1/users/"))

(define base "https://api.example.com/v1/users/")

(define (plain? char)
  (or (char<=? #\a char #\z) (char<=? #\A char #\Z) (char<=? #\0 char #\9)
      (memv char '(#\- #\_))))

(define-tool user_profile
  (description "What a web service says about a user.")
  (category "network")
  (parameters '((name . ((type . "string") (description . "The user's name")))))
  (examples '(((name . "alice"))))
  (execute
   (lambda (args)
     (let ((name (cdr (assoc "name" args))))
       (if (and (> (string-length name) 0)
                (every plain? (string->list name)))
           (let ((response (http-get (string-append base name) '())))
             (if (= (cdr (assq 'status response)) 200)
                 (cdr (assq 'body response))
                 "not found"))
           "error: a name has letters, digits, - and _")))))
