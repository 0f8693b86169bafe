;;; Hooks: what the house does not want, whatever a person would allow.

(register-hook 'pre_tool
  (lambda (payload)
    (let* ((args (cdr (assoc "arguments" payload)))
           (text (and (pair? args) (assoc "text" args))))
      (if (and text (string? (cdr text)) (string-contains (cdr text) "password"))
          (list (cons "block" #t) (cons "message" "house rule: no passwords in notes"))
          '()))))
