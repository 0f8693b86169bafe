;;; (tein introspect), the body.

(define (filter-list keep? list)
  (let loop ((rest list) (out '()))
    (cond ((null? rest) (reverse out))
          ((keep? (car rest)) (loop (cdr rest) (cons (car rest) out)))
          (else (loop (cdr rest) out)))))

;; Libraries of the implementation are nobody's business, nor are those of texts.
(define (public? name)
  (and (not (eq? (car name) 'chibi-bridge))
       (not (memq 'docs (cdr name)))
       (%library-allowed? name)))

(define (by-text<? a b) (string<? (%write-to-string a) (%write-to-string b)))

(define (symbols-sorted names)
  (list-sort (lambda (a b) (string<? (symbol->string a) (symbol->string b)))
             names))

;;> (available-modules)
;;> Return the names of all modules that the program can import, sorted lists.
;;> (and (member '(scheme base) (available-modules)) #t) => #t
(define (available-modules)
  (list-sort by-text<? (filter-list public? (%library-names))))

;;> (imported-modules)
;;> Return the names of the modules all of whose exports the program sees.
(define (imported-modules)
  (list-sort by-text<?
             (filter-list public? (%libraries-in-scope (%top-environment)))))

;;> (module-exports name)
;;> Return the names that the module NAME exports, sorted.
;;> (module-exports '(scheme case-lambda)) => (case-lambda)
(define (module-exports name)
  (if (not (and (pair? name) (list? name)))
      (error "module-exports: expected a module name such as (scheme base)"
             name))
  (let ((exports (%library-exports name))
        (text (%write-to-string name)))
    (cond ((not (%library-allowed? name))
           (error (string-append "module-exports: module " text
                                 " not available in current context")))
          ((not exports)
           (error (string-append "module-exports: unknown module " text)))
          (else (symbols-sorted exports)))))

;; The names that the environment and those behind it bind, each once.
(define (names-in environment)
  (let loop ((environment environment) (names '()))
    (if (not environment)
        names
        (loop (%environment-parent environment)
              (let add ((new (%environment-bound-names environment))
                        (names names))
                (if (null? new)
                    names
                    (add (cdr new) (cons (car new) names))))))))

(define (without-repeats sorted)
  (let loop ((rest sorted) (out '()))
    (cond ((null? rest) (reverse out))
          ((and (pair? out) (eq? (car rest) (car out))) (loop (cdr rest) out))
          (else (loop (cdr rest) (cons (car rest) out))))))

(define (starts? text prefix)
  (and (>= (string-length text) (string-length prefix))
       (string=? (substring text 0 (string-length prefix)) prefix)))

;;> (env-bindings [prefix])
;;> Return an alist of the names that the program sees, those that start with
;;> PREFIX if given, to procedure, syntax or variable.
(define (env-bindings . prefix)
  (let ((prefix (if (pair? prefix) (car prefix) ""))
        (environment (%top-environment)))
    (if (not (string? prefix))
        (error "env-bindings: expected a string" prefix))
    (map (lambda (name) (cons name (%binding-kind environment name)))
         (without-repeats
          (symbols-sorted
           (filter-list (lambda (name)
                          (let ((text (symbol->string name)))
                            (and (starts? text prefix)
                                 (not (starts? text "%")))))
                        (names-in environment)))))))

;;> (procedure-arity obj)
;;> Return (least . most) for the numbers of arguments that a procedure takes, most
;;> #f for any number; #f if OBJ is no procedure.
;;> (procedure-arity (lambda (a . rest) a)) => (1 . #f)
(define (procedure-arity object) (%procedure-arity object))

;; R7RS-small first, then the SRFIs, then the others.
(define (rank name)
  (case (car name) ((scheme) 0) ((srfi) 1) (else 2)))

(define (homes-of name)
  (list-sort (lambda (a b)
               (if (= (rank a) (rank b)) (by-text<? a b) (< (rank a) (rank b))))
             (filter-list public? (%library-homes (%top-environment) name))))

(define (doc-of value homes name)
  (let ((primitive (%primitive-doc value)))
    (if primitive
        (string-append (car primitive) ": " (cdr primitive))
        (and (pair? homes)
             (%host-call 'documentation (symbol->string name)
                         (map %write-to-string homes))))))

;;> (binding-info name)
;;> Return an alist on what the symbol NAME is bound to: name, kind, and, where
;;> known, arity, module and doc; #f if it is not bound.
(define (binding-info name)
  (if (not (symbol? name)) (error "binding-info: expected a symbol" name))
  (let ((kind (%binding-kind (%top-environment) name)))
    (and kind
         (let* ((value (%environment-ref (%top-environment) name #f))
                (homes (homes-of name))
                (doc (doc-of value homes name))
                (entry (lambda (key value)
                         (if value (list (cons key value)) '()))))
           (append (list (cons 'name name) (cons 'kind kind))
                   (entry 'arity (and (eq? kind 'procedure)
                                      (%procedure-arity value)))
                   (entry 'module (and (pair? homes) (car homes)))
                   (entry 'doc doc))))))

;;> (describe-environment)
;;> Return ((modules . list)), where each item of the list is an alist with the name
;;> and the exports of a module.
(define (describe-environment)
  (list (cons 'modules
              (map (lambda (name)
                     (list (cons 'name name)
                           (cons 'exports (module-exports name))))
                   (available-modules)))))

(define summary-length 8)

(define (write-summary exports out)
  (let loop ((rest exports) (n 0))
    (cond ((null? rest) #t)
          ((= n summary-length) (write-string ", ..." out))
          (else
           (if (> n 0) (write-string ", " out))
           (write (car rest) out)
           (loop (cdr rest) (+ n 1))))))

;;> (describe-environment/text)
;;> Return a text on the modules that can be imported and what they export.
(define (describe-environment/text)
  (let ((out (open-output-string)) (modules (available-modules)))
    (write-string "The environment of this program\n" out)
    (write (length modules) out)
    (write-string " modules available:\n" out)
    (for-each
     (lambda (name)
       (let ((exports (module-exports name)))
         (write-string "\n" out)
         (write name out)
         (write-string " \x2014; " out)
         (write (length exports) out)
         (write-string " exports\n  " out)
         (write-summary exports out)
         (write-string "\n" out)))
     modules)
    (get-output-string out)))
