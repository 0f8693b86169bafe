;; Structured tasks in the VFS, written to the description of the agent's own
;; plugin: it relies on the prelude for filter, and redefines names of SRFI 130.
(import (scheme base) (scheme char) (scheme read) (harness tools))

(define (string-split text separator)
  (let loop ((at 0) (start 0) (out '()))
    (cond ((= at (string-length text))
           (reverse (cons (substring text start at) out)))
          ((string=? (substring text at (+ at 1)) separator)
           (loop (+ at 1) (+ at 1) (cons (substring text start at) out)))
          (else (loop (+ at 1) start out)))))

(define (string-trim-both text)
  (let* ((end (string-length text))
         (from (let loop ((at 0))
                 (if (and (< at end) (char-whitespace? (string-ref text at))) (loop (+ at 1)) at)))
         (to (let loop ((at end))
               (if (and (> at from) (char-whitespace? (string-ref text (- at 1)))) (loop (- at 1)) at))))
    (substring text from to)))

(define (has? text part)
  (let ((n (string-length part)))
    (let loop ((at 0))
      (cond ((> (+ at n) (string-length text)) #f)
            ((string=? (substring text at (+ at n)) part) #t)
            (else (loop (+ at 1)))))))

(define (get args key) (let ((entry (assoc key args))) (if entry (cdr entry) #f)))

(define (task-dirs)
  (guard (e (#t (list (string-append "/home/" %context-name% "/tasks"))))
    (let ((text (call-tool "file_head"
                           `(("path" . ,(string-append "vfs:///sys/contexts/" %context-name% "/task-dirs"))
                             ("lines" . "1000")))))
      (if (or (string=? text "") (has? text "Error"))
          (list (string-append "/home/" %context-name% "/tasks"))
          (read (open-input-string text))))))

(define (uri path) (string-append "vfs://" path))
(define (read-task path)
  (call-tool "file_head" `(("path" . ,(uri path)) ("lines" . 1000))))

(define (entries dir)
  (filter (lambda (line) (and (not (string=? line "")) (not (string=? line "No entries found."))))
          (string-split (call-tool "vfs_list" `(("path" . ,(uri dir)))) "\n")))

(define (ends? text tail)
  (let ((n (string-length text)) (m (string-length tail)))
    (and (>= n m) (string=? (substring text (- n m) n) tail))))

(define (tasks-in dir)
  (let loop ((rest (entries dir)) (out '()))
    (if (null? rest)
        out
        (let* ((line (car rest)) (n (string-length line)))
          (loop (cdr rest)
                (append out
                        (cond ((ends? line " (dir)") (tasks-in (string-append dir "/" (substring line 0 (- n 6)))))
                              ((ends? line ".task (file)") (list (string-append dir "/" (substring line 0 (- n 7)))))
                              (else '()))))))))

(define (all-tasks)
  (let loop ((dirs (task-dirs)) (out '()))
    (if (null? dirs) out (loop (cdr dirs) (append out (tasks-in (car dirs)))))))

(define (find-task id)
  (let loop ((rest (all-tasks)))
    (cond ((null? rest) #f)
          ((has? (read-task (car rest)) (string-append "((id . \"" id "\")")) (car rest))
          (else (loop (cdr rest))))))

(define (full-path path)
  (if (and (> (string-length path) 6) (string=? (substring path 0 6) "flock:"))
      (let-values (((flock sub) (let ((parts (string-split (substring path 6 (string-length path)) "/")))
                                  (values (car parts) (cdr parts)))))
        (if (null? sub)
            #f
            (string-append "/flocks/" flock "/tasks"
                           (apply string-append (map (lambda (s) (string-append "/" s)) sub)) ".task")))
      (string-append "/home/" %context-name% "/tasks/" path ".task")))

(define (folder-of path)
  (let loop ((at (- (string-length path) 1)))
    (if (char=? (string-ref path at) #\/) (substring path 0 at) (loop (- at 1)))))

(define-tool task_create
  (description "Create a task.")
  (parameters '((path . ((type . "string"))) (body . ((type . "string")))
                (priority . ((type . "string") (required . #f)))
                (assigned-to . ((type . "string") (required . #f)))))
  (execute
   (lambda (args)
     (let ((path (full-path (get args "path"))) (id (generate-id)) (now (current-timestamp)))
       (if (not path)
           "error: task path must include a filename"
           (begin
             (call-tool "vfs_mkdir" `(("path" . ,(uri (folder-of path)))))
             (call-tool "write_file"
                        `(("path" . ,(uri path))
                          ("content" . ,(string-append
                                         "((id . \"" id "\")\n (status . pending)\n (priority . "
                                         (or (get args "priority") "medium") ")\n (created . \"" now
                                         "\")\n (updated . \"" now "\"))\n\n\"" (get args "body") "\"\n"))))
             (string-append "created task " id " at " path)))))))

(define-tool task_update
  (description "Update a task.")
  (parameters '((id . ((type . "string"))) (status . ((type . "string")))))
  (execute
   (lambda (args)
     (let ((path (find-task (get args "id"))))
       (call-tool "file_edit" `(("path" . ,(uri path)) ("operation" . "replace_string")
                                ("find" . "(status . pending)")
                                ("replace" . ,(string-append "(status . " (get args "status") ")"))))
       (string-append "updated task " (get args "id") " at " path)))))

(define-tool task_view
  (description "Show a task.")
  (parameters '((id . ((type . "string")))))
  (execute
   (lambda (args)
     (let ((path (find-task (get args "id"))))
       (if path
           (string-append "path: " path "\n" (read-task path))
           (string-append "error: task " (get args "id") " not found"))))))

(define-tool task_list
  (description "List tasks.")
  (parameters '((status . ((type . "string") (required . #f)))))
  (execute
   (lambda (args)
     (let ((found (all-tasks)))
       (if (null? found)
           "no tasks found"
           (apply string-append (map (lambda (path) (string-append "path: " path "\n" (read-task path) "\n---\n")) found)))))))

(define-tool task_delete
  (description "Delete a task.")
  (parameters '((id . ((type . "string")))))
  (execute
   (lambda (args)
     (let ((path (find-task (get args "id"))))
       (call-tool "vfs_delete" `(("path" . ,(uri path))))
       (string-append "deleted task " (get args "id") " at " path)))))
