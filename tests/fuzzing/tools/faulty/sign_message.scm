;; A keyed checksum, as a small service wants it.
(import (scheme process-context))

(define (key) (or (get-environment-variable "SIGNING_KEY") "none"))

(define (checksum text)
  (let loop ((chars (string->list text)) (sum 17))
    (if (null? chars)
        sum
        (loop (cdr chars)
              (modulo (+ (* 31 sum) (char->integer (car chars))) 999983)))))

(define-tool sign_message
  (description "Sign a message of 1 to 200 characters.")
  (parameters '((message . ((type . "string")))))
  (examples '(((message . "hello"))))
  (execute
   (lambda (args)
     (let ((message (cdr (assoc "message" args))))
       (if (<= 1 (string-length message) 200)
           (number->string (checksum (string-append (key) ":" message)))
           (error "cannot sign this message" (list (key) message)))))))
