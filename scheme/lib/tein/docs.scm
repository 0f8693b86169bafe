;;; (tein docs), the body.

(define (docs-alist? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest)
             (and (pair? (car rest))
                  (symbol? (caar rest))
                  (string? (cdar rest))
                  (loop (cdr rest)))))))

;; A library's name: (tein json).
(define (library-name? object)
  (and (pair? object)
       (list? object)
       (let loop ((rest object))
         (or (null? rest)
             (and (or (symbol? (car rest)) (exact-integer? (car rest)))
                  (loop (cdr rest)))))))

(define (text-of object)
  (let ((out (open-output-string)))
    (write object out)
    (get-output-string out)))

;; What the comments of a library's files say, as a docs alist; #f where OBJECT is
;; no library's name.
(define (docs-of-library object)
  (and (library-name? object)
       (let ((entries (%host-call 'library-documentation (text-of object)))
             (name (text-of object)))
         (and entries
              (cons (cons '__module__
                          (substring name 1 (- (string-length name) 1)))
                    (map (lambda (entry)
                           (cons (string->symbol (car entry)) (cadr entry)))
                         entries))))))

;; A docs alist, or the one of a library that is named; #f for anything else.
(define (docs-of object)
  (if (docs-alist? object) object (docs-of-library object)))

(define (docs-or-error who object)
  (or (docs-of object)
      (error (string-append who ": not a docs alist nor the name of a library "
                            "that has texts")
             object)))

;;> (module-doc docs name)
;;> Return the text on NAME, a symbol, or #f. DOCS is a docs alist or a library's
;;> name. (module-doc '((f . "Text.")) 'f) => "Text."
(define (module-doc docs name)
  (let ((entry (assq name (docs-or-error "module-doc" docs))))
    (and entry (cdr entry))))

;;> (module-docs docs)
;;> Return DOCS (a docs alist, or that of the library named) without the module's
;;> name. (module-docs '((__module__ . "x") (f . "Text."))) => ((f . "Text."))
(define (module-docs docs)
  (let loop ((rest (docs-or-error "module-docs" docs)) (out '()))
    (cond ((null? rest) (reverse out))
          ((eq? (caar rest) '__module__) (loop (cdr rest) out))
          (else (loop (cdr rest) (cons (car rest) out))))))

(define (hint object)
  (let ((out (open-output-string)))
    (write-string "describe expects a docs alist such as harness-tools-docs"
                  out)
    (if (symbol? object)
        (begin
          (write-string "; evaluate (describe harness-tools-docs) or look up '"
                        out)
          (write object out)
          (write-string " with (module-doc harness-tools-docs 'name)" out)))
    (get-output-string out)))

(define (describe-entry entry out)
  (write-string "  " out)
  (display (car entry) out)
  (if (not (string=? (cdr entry) ""))
      (begin
        (write-string " \x2014; " out)
        (write-string (cdr entry) out)))
  (newline out))

;;> (describe docs)
;;> Return a text on all that DOCS holds, a docs alist or a library's name; for
;;> anything else a text that says so. (describe '((f . "Text."))) => "  f \x2014; Text.\n"
(define (describe docs)
  (let ((alist (docs-of docs)))
    (if (not alist)
        (hint docs)
        (let ((out (open-output-string))
              (module (assq '__module__ alist)))
          (if module
              (begin
                (write-string "(" out)
                (write-string (cdr module) out)
                (write-string ")" out)
                (newline out)))
          (for-each (lambda (entry) (describe-entry entry out))
                    (module-docs alist))
          (get-output-string out)))))
