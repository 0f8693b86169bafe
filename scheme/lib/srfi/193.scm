;;; SRFI 193, the body.

(define (program)
  (let ((line (command-line)))
    (and (pair? line)
         (not (string=? (car line) ""))
         (car line))))

;;> (command-name)
;;> Return the program's name without directory and extension, or #f.
(define (command-name)
  (let ((path (program)))
    (and path (path-strip-extension (path-strip-directory path)))))

;;> (command-args)
;;> Return the arguments behind the program's name.
(define (command-args)
  (let ((line (command-line)))
    (if (pair? line) (cdr line) '())))

;;> (script-file)
;;> Return the absolute path of the program's file, or #f.
(define (script-file)
  (let ((path (program)))
    (and path (path-absolute? path) path)))

;;> (script-directory)
;;> Return the directory of the program's file, with / at its end, or #f.
(define (script-directory)
  (let ((path (script-file)))
    (and path (substring path 0 (string-find-right path #\/)))))
