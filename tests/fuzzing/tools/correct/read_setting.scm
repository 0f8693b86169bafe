;; One value out of settings in JSON.
(define (parsed text)
  (guard (condition (#t #f)) (json-parse text)))

(define-tool read_setting
  (description "The value of a setting in a JSON object.")
  (parameters
   '((settings . ((type . "string") (description . "A JSON object as text")))
     (name . ((type . "string")))))
  (examples '(((settings . "{\"color\": \"red\"}") (name . "color"))))
  (execute
   (lambda (args)
     (let* ((settings (parsed (cdr (assoc "settings" args))))
            (found (and (list? settings) (every pair? settings)
                        (assoc (cdr (assoc "name" args)) settings))))
       (if found (json-stringify (cdr found)) "not set")))))
