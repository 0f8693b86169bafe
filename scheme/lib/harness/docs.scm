;;; (harness docs), the body; hooks-docs.scm is the other part.

;;> harness-tools-docs
;;> An alist from the names that a tool file may use to texts about them.
(define harness-tools-docs
  (list
   (cons '__module__ "harness tools")
   (cons 'define-tool
         (string-append
          "(define-tool name clause ...): a macro that defines a tool. "
          "Clauses, in any order: (description text), "
          "(parameters '((name . ((type . "
          "\"string\") (description . text) (required . #f))) ...)), (execute "
          "(lambda (args) ...)), and optionally (category text), "
          "(summary-params '(name ...)), (summary template), (http-allow "
          "'(url ...)), (examples list), (returns schema), (timeout seconds). "
          "args is an alist with string keys."))
   (cons 'call-tool
         (string-append
          "(call-tool name arguments): call another tool; arguments is an "
          "alist. Returns the text of its result, raises an error where it "
          "fails."))
   (cons 'register-hook
         (string-append
          "(register-hook 'name handler): call handler with an alist when the "
          "event happens; see hooks-docs."))
   (cons 'generate-id
         "(generate-id): return a new identifier of 8 hexadecimal digits.")
   (cons 'current-timestamp
         "(current-timestamp): return the time as YYYYMMDD-HHMMz, in UTC.")))
