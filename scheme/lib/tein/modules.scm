;;; (tein modules), the body.

(define (name-part? part)
  (or (symbol? part) (and (exact-integer? part) (>= part 0))))

(define (every? ok? list)
  (or (null? list) (and (ok? (car list)) (every? ok? (cdr list)))))

(define (check-name who name)
  (cond ((null? name) (error (string-append who ": library name is empty")))
        ((not (list? name))
         (error (string-append who ": a library name is a list") name))
        ((not (every? name-part? name))
         (error (string-append who ": a library name is made of symbols or "
                               "integers")
                name))))

;; The text is all there is to a library: a clause that would read a file, also
;; within cond-expand, is refused.
(define (check-clauses clauses)
  (for-each
   (lambda (clause)
     (if (pair? clause)
         (case (car clause)
           ((include include-ci include-library-declarations include-shared)
            (error (string-append "register-module: "
                                  (symbol->string (car clause))
                                  " is not possible here; use begin")
                   clause))
           ((cond-expand)
            (for-each (lambda (option)
                        (if (pair? option) (check-clauses (cdr option))))
                      (cdr clause))))))
   clauses))

(define names-made '())

;;> (register-module string)
;;> Make the library that STRING defines importable: its first datum has to be
;;> (define-library name clause ...). Return #t.
(define (register-module string)
  (if (not (string? string))
      (error "register-module: expected string argument" string))
  (let ((form (read (open-input-string string))))
    (if (not (and (list? form) (pair? (cdr form))
                  (eq? (car form) 'define-library)))
        (error "register-module: expected a define-library form" form))
    (let ((name (cadr form)))
      (check-name "register-module" name)
      (check-clauses (cddr form))
      (if (and (%library-loaded? name) (not (member name names-made)))
          (error "register-module: the library already exists" name))
      (%run-unit (%unit-of-datum form (%environment '())))
      (set! names-made (cons name names-made))
      #t)))

;;> (module-registered? name)
;;> Is there a library NAME that the program may import?
;;> (module-registered? '(scheme base)) => #t
(define (module-registered? name)
  (check-name "module-registered?" name)
  (and (%library-loaded? name) (%library-allowed? name)))
