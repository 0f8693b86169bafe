;;; Units: evaluating text and data form by form, loading what they import.
;;;
;;; The front end expands and compiles one form at a time and says what it
;;; lacks (front.h); this file supplies that through the host, so that a library
;;; body runs as ordinary frames of the run that imports it.

(define (%raise-compile message)
  (%raise-new (%make-condition 'compile-error message '()) #f))

;; The libraries being loaded in this dynamic extent, innermost first.
(define %loading (%make-parameter '() #f))

(define (%directory path)
  (let loop ((i (string-length path)))
    (cond ((= i 0) "")
          ((char=? (string-ref path (- i 1)) #\/) (substring path 0 i))
          (else (loop (- i 1))))))

(define (%absolute? path)
  (and (> (string-length path) 0) (char=? (string-ref path 0) #\/)))

;; The file that PATH means in the file FROM (a string or #f).
(define (%resolve path from)
  (if (or (not from) (%absolute? path))
      path
      (string-append (%directory from) path)))

(define (%include unit request)
  (let ((path (vector-ref request 1)))
    (%unit-supply! unit path
                   (%host-call 'include
                               (%resolve path (vector-ref request 3))))))

;; (a b 1) -> "a/b/1.sld"
(define (%library-file name)
  (call-with-output-string
    (lambda (port)
      (let loop ((name name))
        (%display (car name) port)
        (if (pair? (cdr name))
            (begin (%write-char #\/ port) (loop (cdr name)))
            (%write-string ".sld" port))))))

(define (%cycle-text name loading)
  (call-with-output-string
    (lambda (port)
      (let loop ((names (reverse (cons name loading))) (inside #f))
        (if (pair? names)
            (let ((inside (or inside (equal? (car names) name))))
              (if inside
                  (begin
                    (%write (car names) port)
                    (if (pair? (cdr names)) (%write-string " -> " port))))
              (loop (cdr names) inside)))))))

;; The host's answer for library NAME as (text file kind), or #f. It gives the
;; text alone, or a list (text file trusted?): a trusted text is one of ours,
;; it may import the core environment.
(define (%library-text name)
  (let ((answer (%host-call 'library (%write-to-string name))))
    (cond ((string? answer) (list answer (%library-file name) 'program))
          ((pair? answer)
           (list (car answer)
                 (cadr answer)
                 (if (caddr answer) 'trusted 'program)))
          (else #f))))

(define (%run-library-text name source loading)
  (%parameterize
   (list (cons %loading (cons name loading)))
   (lambda ()
     (%run-unit (%unit-open (car source) (cadr source) (%environment '())
                            (caddr source)))))
  (if (not (%library-loaded? name))
      (%raise-compile
       (string-append (cadr source) " does not define the library "
                      (%write-to-string name)))))

;; Load the library NAME; #f where the host has none.
(define (%load-library name)
  (let ((loading (%loading)))
    (if (%member name loading)
        (%raise-compile
         (string-append "cyclic import: " (%cycle-text name loading))))
    (let ((source (%library-text name)))
      (and source
           (begin
             (%run-library-text name source loading)
             #t)))))

(define (%raise-no-library name)
  (%raise-compile (string-append "no library " (%write-to-string name))))

;; Form I of UNIT wants a library that is not there: the front end says so, with
;; the position of the import.
(define (%refuse-library unit i name)
  (%unit-supply! unit name #f)
  (%unit-next unit i)
  (%raise-no-library name))

;; Is the library NAME loaded, or would the host give its text?
(define (%library-available? name)
  (or (%library-loaded? name)
      (%guard-else
       (lambda () (pair? (%library-text name)))
       (lambda (condition) #f))))

(define (%satisfy unit i request)
  (case (vector-ref request 0)
    ((library)
     (let ((name (vector-ref request 1)))
       (if (not (%load-library name)) (%refuse-library unit i name))))
    ((available)
     (let ((name (vector-ref request 1)))
       (%unit-supply! unit name (%library-available? name))))
    (else (%include unit request))))

;; Run UNIT's forms; answer the last one's values. Entering a continuation of
;; form k again runs the forms behind it again.
(define (%run-unit unit)
  (let loop ((i 0))
    (let ((next (%unit-next unit i)))
      (cond ((procedure? next)
             (if (%unit-last? unit i)
                 (next)
                 (begin (next) (loop (+ i 1)))))
            (next (%satisfy unit i next) (loop i))))))

;; ROOT_EVAL_UNIT: what the host calls to evaluate a program's text.
(define (%eval-text text file written?)
  (let ((run (lambda ()
               (%run-unit
                (%unit-open text file (%top-environment) 'program)))))
    (if written?
        (call-with-values run
          (lambda results (apply values (map %write-to-string results))))
        (run))))

(define (environment . import-sets)
  (let loop ()
    (let ((result (%environment import-sets)))
      (if (vector? result)
          (let ((name (vector-ref result 1)))
            (if (not (%load-library name)) (%raise-no-library name))
            (loop))
          result))))

(define (interaction-environment) (%top-environment))

(define eval
  (case-lambda
    ((expression) (eval expression (%top-environment)))
    ((expression environment)
     (%run-unit (%unit-of-datum expression environment)))))

(define load
  (case-lambda
    ((path) (load path (%top-environment)))
    ((path environment)
     (if (not (string? path)) (%raise-type 'load 0 "string" path))
     (%run-unit (%unit-open (%host-call 'read-file path) path environment
                            'program)))))

(define (features) (%features))
