;; File revisions in the VFS, written to the description of the agent's own
;; plugin: unsandboxed, a hook before writes, revisions beside the file.
(import (scheme base) (scheme write) (scheme read) (scheme char)
        (chibi diff) (harness io) (harness tools) (harness hooks))

(define keep 10)

(define (string-contains text part)
  (let ((n (string-length part)))
    (let loop ((at 0))
      (cond ((> (+ at n) (string-length text)) #f)
            ((string=? (substring text at (+ at n)) part) at)
            (else (loop (+ at 1)))))))

(define (string-join parts separator)
  (if (null? parts)
      ""
      (let loop ((rest (cdr parts)) (out (car parts)))
        (if (null? rest) out (loop (cdr rest) (string-append out separator (car rest)))))))

(define (split-path path)
  (let loop ((at (- (string-length path) 1)))
    (if (char=? (string-ref path at) #\/)
        (cons (substring path 0 at) (substring path (+ at 1) (string-length path)))
        (loop (- at 1)))))

(define (history-dir path)
  (let ((parts (split-path path)))
    (string-append (car parts) "/.chibi/history/" (cdr parts))))

(define (revision-file path n) (string-append (history-dir path) "/" (number->string n)))

(define (next-revision path)
  (let ((text (io-read (string-append (history-dir path) "/meta"))))
    (cond ((and text (assq 'next (read (open-input-string text)))) => cdr)
          (else 1))))

(define (write-meta path n)
  (let ((out (open-output-string)))
    (write (list (cons 'next n)) out)
    (io-write (string-append (history-dir path) "/meta") (get-output-string out))))

(define (revisions path)
  (let loop ((names (io-list (history-dir path))) (out '()))
    (cond ((null? names) out)
          ((string->number (car names)) => (lambda (n) (loop (cdr names) (insert n out))))
          (else (loop (cdr names) out)))))

(define (insert n sorted)
  (if (or (null? sorted) (< n (car sorted)))
      (cons n sorted)
      (cons (car sorted) (insert n (cdr sorted)))))

(define (prune path)
  (let loop ((kept (revisions path)))
    (when (> (length kept) keep)
      (io-delete (revision-file path (car kept)))
      (loop (cdr kept)))))

(define (snapshot payload)
  (guard (exn (#t '()))
    (let* ((entry (assoc "path" payload)) (path (and entry (cdr entry))))
      (if (and (string? path)
               (>= (string-length path) 6)
               (string=? (substring path 0 6) "vfs://")
               (not (string-contains path "/.chibi/")))
          (let ((content (io-read path)))
            (when content
              (let ((n (next-revision path)))
                (io-write (revision-file path n) content)
                (write-meta path (+ n 1))
                (prune path)))))
      '())))

(register-hook 'pre_vfs_write snapshot)

(define (revision-of args)
  (let ((entry (assoc "revision" args)))
    (and entry (if (string? (cdr entry)) (string->number (cdr entry)) (cdr entry)))))
(define (path-of args) (cdr (assoc "path" args)))
(define (missing n path)
  (string-append "Revision @" (number->string n) " not found for " path))

(define path-only (list (cons "path" '(("type" . "string")))))
(define with-revision
  (list (cons "path" '(("type" . "string"))) (cons "revision" '(("type" . "integer")))))
(define maybe-revision
  (list (cons "path" '(("type" . "string")))
        (cons "revision" '(("type" . "integer") ("required" . #f)))))

(define-tool file_history_log
  (description "The revisions of a file.")
  (parameters path-only)
  (execute
   (lambda (args)
     (let ((found (reverse (revisions (path-of args)))))
       (if (null? found)
           (string-append "No history for " (path-of args))
           (string-join (cons (string-append "Revisions for " (path-of args) ":")
                              (map (lambda (n) (string-append "  @" (number->string n))) found))
                        "\n"))))))

(define-tool file_history_show
  (description "A revision of a file.")
  (parameters with-revision)
  (execute
   (lambda (args)
     (or (io-read (revision-file (path-of args) (revision-of args)))
         (missing (revision-of args) (path-of args))))))

(define-tool file_history_diff
  (description "A revision against the current content.")
  (parameters maybe-revision)
  (execute
   (lambda (args)
     (let* ((path (path-of args))
            (n (or (revision-of args)
                   (let ((found (reverse (revisions path)))) (if (null? found) 0 (car found)))))
            (old (io-read (revision-file path n)))
            (new (io-read path)))
       (cond ((= n 0) (string-append "No history for " path))
             ((not old) (missing n path))
             ((not new) (string-append "File " path " no longer exists"))
             ((string=? old new) (string-append "No changes since revision @" (number->string n)))
             (else
              (string-append "Diff " path " @" (number->string n) " vs current:\n"
                             (diff->string (diff old new)))))))))

(define-tool file_history_revert
  (description "Bring a revision back.")
  (parameters with-revision)
  (execute
   (lambda (args)
     (let* ((path (path-of args)) (n (revision-of args)) (old (io-read (revision-file path n))))
       (if (not old)
           (missing n path)
           (begin
             (call-tool "write_file" (list (cons "path" path) (cons "content" old)))
             (string-append "Reverted " path " to revision @" (number->string n))))))))
