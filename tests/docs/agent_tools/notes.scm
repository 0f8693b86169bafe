;;; Notes in memory, and a tool that somebody is asked for.

(define notes '())

(define-tool add_note
  (description "Keep a note under a title.")
  (category "memory")
  (parameters '((title . ((type . "string") (description . "Its title")))
                (text . ((type . "string") (description . "What to keep")))))
  (execute
   (lambda (args)
     (set! notes (cons (cons (cdr (assoc "title" args)) (cdr (assoc "text" args))) notes))
     (string-append (number->string (length notes)) " notes"))))

(define-tool read_note
  (description "Read the note under a title.")
  (category "memory")
  (parameters '((title . ((type . "string") (description . "Its title")))))
  (execute
   (lambda (args)
     (let ((note (assoc (cdr (assoc "title" args)) notes)))
       (if note (cdr note) (error "no note under this title:" (cdr (assoc "title" args))))))))

(define-tool publish_note
  (description "Send a note to everybody.")
  (category "network")
  (summary-params '("title"))
  (parameters '((title . ((type . "string") (description . "Its title")))
                (token . ((type . "string") (description . "Who sends it")))))
  (execute (lambda (args) (string-append "published " (cdr (assoc "title" args))))))

(define-tool delete_notes
  (description "Forget all notes on the disk.")
  (category "fs_write")
  (parameters '((path . ((type . "string") (description . "Where they are")))))
  (execute (lambda (args) "deleted")))
