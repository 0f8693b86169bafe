;;; (chibi pathname), the body.

(define (last-char-is? string char)
  (let ((n (string-length string)))
    (and (> n 0) (char=? (string-ref string (- n 1)) char))))

;;> (path-strip-directory path)
;;> Return what stands behind the last /. (path-strip-directory "/usr/lib") =>
;;> "lib"
(define (path-strip-directory path)
  (substring path (string-find-right path #\/) (string-length path)))

;;> (path-directory path)
;;> Return the directory that PATH is in. (path-directory "/usr/lib") => "/usr"
(define (path-directory path)
  (let* ((end (string-skip-right path #\/))
         (slash (string-find-right path #\/ 0 end))
         (start (string-skip-right path #\/ 0 slash)))
    (cond ((= slash 0) (if (and (= end 0) (> (string-length path) 0)) "/" "."))
          ((= start 0) "/")
          (else (substring path 0 start)))))

;; The index of the dot in front of the extension, or #f.
(define (extension-dot path)
  (let* ((n (string-length path))
         (behind (string-find-right path #\.)))
    (and (< 0 behind n)
         (= (string-find-right path #\/ behind) behind)
         (> behind 1)
         (not (char=? (string-ref path (- behind 2)) #\/))
         (- behind 1))))

;;> (path-extension path)
;;> Return what stands behind the last dot of the file's name, or #f.
;;> (path-extension "foo.scm") => "scm"
(define (path-extension path)
  (let ((dot (extension-dot path)))
    (and dot (substring path (+ dot 1) (string-length path)))))

;;> (path-strip-extension path)
;;> Return PATH without dot and extension. (path-strip-extension "foo.scm") =>
;;> "foo"
(define (path-strip-extension path)
  (let ((dot (extension-dot path)))
    (if dot (substring path 0 dot) path)))

;;> (path-replace-extension path extension)
;;> Return PATH with another extension. (path-replace-extension "foo.scm" "c") =>
;;> "foo.c"
(define (path-replace-extension path extension)
  (string-append (path-strip-extension path) "." extension))

;;> (path-absolute? path)
;;> Does PATH begin with /? (path-absolute? "/usr") => #t
(define (path-absolute? path)
  (and (> (string-length path) 0) (char=? (string-ref path 0) #\/)))

;;> (path-relative? path)
;;> Does PATH not begin with /? (path-relative? "usr") => #t
(define (path-relative? path) (not (path-absolute? path)))

;;> (path-strip-leading-parents path)
;;> Return PATH without .. in front. (path-strip-leading-parents "../a") => "a"
(define (path-strip-leading-parents path)
  (cond ((string-prefix? "../" path)
         (path-strip-leading-parents (substring path 3 (string-length path))))
        ((string=? path "..") "")
        (else path)))

;; PARTS, reversed, without what a .. takes back; AT-ROOT? means that there is
;; nothing above.
(define (normal-parts parts at-root?)
  (let loop ((rest parts) (out '()))
    (cond ((null? rest) out)
          ((member (car rest) '("" ".")) (loop (cdr rest) out))
          ((not (string=? (car rest) "..")) (loop (cdr rest) (cons (car rest) out)))
          ((and (pair? out) (not (string=? (car out) "..")))
           (loop (cdr rest) (cdr out)))
          (at-root? (loop (cdr rest) out))
          (else (loop (cdr rest) (cons ".." out))))))

;; Does PATH name a directory, by its last part?
(define (directory-form? path)
  (let ((name (path-strip-directory path)))
    (member name '("" "." ".."))))

;;> (path-normalize path)
;;> Return PATH without empty parts, . and what .. takes back.
;;> (path-normalize "/a/b/../c//./d") => "/a/c/d"
(define (path-normalize path)
  (let* ((root? (path-absolute? path))
         (parts (normal-parts (string-split path #\/) root?))
         (body (string-join (reverse parts) "/")))
    (cond ((string=? path "") "")
          ((and root? (null? parts)) "/")
          ((null? parts) ".")
          ((and (directory-form? path) (not (string=? (car parts) "..")))
           (string-append (if root? "/" "") body "/"))
          (root? (string-append "/" body))
          (else body))))

;;> (path-relative-to path directory)
;;> Return PATH seen from DIRECTORY, or #f where it is not below.
;;> (path-relative-to "/a/b/c" "/a/b") => "c"
(define (path-relative-to path directory)
  (define (trimmed path)
    (let ((path (path-normalize path)))
      (if (string=? path "/") "" (substring path 0 (string-skip-right path #\/)))))
  (let* ((path (trimmed path))
         (directory (trimmed directory))
         (n (string-length directory)))
    (cond ((string=? path directory) ".")
          ((string=? directory ".") (and (path-relative? path) path))
          ((and (string-prefix? directory path)
                (char=? (string-ref path n) #\/))
           (substring path (+ n 1) (string-length path)))
          (else #f))))

;;> (path-resolve path directory)
;;> Return PATH as seen where DIRECTORY is the current one.
;;> (path-resolve "b/c" "/a") => "/a/b/c"
(define (path-resolve path directory)
  (if (path-absolute? path) path (make-path directory path)))

;;> (make-path part ...)
;;> Join parts (strings, symbols, numbers, characters, lists of them) with /.
;;> (make-path "a" 'b) => "a/b"
(define (make-path . parts)
  (let loop ((rest (map part-text (flatten parts))) (out ""))
    (cond ((null? rest) out)
          ((string=? out "") (loop (cdr rest) (car rest)))
          (else (loop (cdr rest) (join-parts out (car rest)))))))

(define (join-parts left right)
  (let ((right (strip-slashes right)))
    (cond ((string=? right "") left)
          ((last-char-is? left #\/) (string-append left right))
          (else (string-append left "/" right)))))

(define (strip-slashes string)
  (if (path-absolute? string)
      (strip-slashes (substring string 1 (string-length string)))
      string))

(define (flatten object)
  (cond ((null? object) '())
        ((pair? object) (append (flatten (car object)) (flatten (cdr object))))
        (else (list object))))

(define (part-text part)
  (cond ((string? part) part)
        ((symbol? part) (symbol->string part))
        ((number? part) (number->string part))
        ((char? part) (string part))
        (else (error "make-path: not a part of a path" part))))
