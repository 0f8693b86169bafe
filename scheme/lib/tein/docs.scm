;;; (tein docs), the body.

(define (docs-alist? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest)
             (and (pair? (car rest))
                  (symbol? (caar rest))
                  (string? (cdar rest))
                  (loop (cdr rest)))))))

(define (check who object)
  (if (not (docs-alist? object))
      (error (string-append who ": not a docs alist") object)))

;;> (module-doc docs name)
;;> Return the text on NAME, a symbol, or #f.
(define (module-doc docs name)
  (check "module-doc" docs)
  (let ((entry (assq name docs)))
    (and entry (cdr entry))))

;;> (module-docs docs)
;;> Return DOCS without the module's name.
(define (module-docs docs)
  (check "module-docs" docs)
  (let loop ((rest docs) (out '()))
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
;;> Return a text on all that DOCS holds; for anything but a docs alist a text
;;> that says so.
(define (describe docs)
  (if (not (docs-alist? docs))
      (hint docs)
      (let ((out (open-output-string))
            (module (assq '__module__ docs)))
        (if module
            (begin
              (write-string "(" out)
              (write-string (cdr module) out)
              (write-string ")" out)
              (newline out)))
        (for-each (lambda (entry) (describe-entry entry out))
                  (module-docs docs))
        (get-output-string out))))
