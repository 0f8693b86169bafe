;;; (cap fs), the body.

;;> (fs-read path)
;;> Return the text of a file.
(define (fs-read path)
  (check-argument 'fs-read 0 string? "string" path)
  (cap-field "fs.read" (cap-call "fs.read" "path" path) "contents" string?))

;;> (fs-write path contents)
;;> Make a file hold the string CONTENTS.
(define (fs-write path contents)
  (check-argument 'fs-write 0 string? "string" path)
  (check-argument 'fs-write 1 string? "string" contents)
  (cap-call "fs.write" "path" path "contents" contents)
  (if #f #f))

;;> (fs-list path)
;;> Return the entries of a folder, an alist each: name, is_dir.
(define (fs-list path)
  (check-argument 'fs-list 0 string? "string" path)
  (cap-field "fs.list" (cap-call "fs.list" "path" path) "entries" list?))

(define (edit? object)
  (and (pair? object)
       (string? (car object))
       (or (string? (cdr object))
           (and (pair? (cdr object)) (string? (cadr object))
                (null? (cddr object))))))

(define (edits? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest) (and (edit? (car rest)) (loop (cdr rest)))))))

;;> (fs-edit path edits)
;;> Change a file: EDITS are pairs (find . replacement), made one after another;
;;> each FIND is there exactly once at its turn. All are made, or none.
(define (fs-edit path edits)
  (check-argument 'fs-edit 0 string? "string" path)
  (check-argument 'fs-edit 1 edits? "list of pairs of strings" edits)
  (cap-call "fs.edit" "path" path "edits"
            (map (lambda (edit)
                   (json-object "find" (car edit) "replace_with"
                                (if (pair? (cdr edit))
                                    (cadr edit)
                                    (cdr edit))))
                 edits))
  (if #f #f))
