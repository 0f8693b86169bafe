;; The temperature that a web service knows.
(import (tein http))

(define (number-in body)
  (cdr (assoc "temperature" (json-parse body))))

(define-tool weather
  (description "The temperature in a city.")
  (category "network")
  (http-allow '("https://weather.example.org/"))
  (parameters
   '((city . ((type . "string") (enum . ("oslo" "rome" "lima"))))))
  (examples '(((city . "oslo"))))
  (execute
   (lambda (args)
     (let* ((response
             (http-get (string-append "https://weather.example.org/"
                                      (cdr (assoc "city" args)))
                       '()))
            (degrees (number-in (cdr (assq 'body response)))))
       (if degrees
           (string-append (number->string degrees) " degrees")
           "unknown")))))
