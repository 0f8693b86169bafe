;;; SRFI 166, pretty printing. Data that fit stand in one line; else a form has its
;;; first parts in the first line and the others below, as its head says.

;; How many parts stand in the first line, behind the head, of forms with a body.
(define bodies
  '((define . 1) (define-syntax . 1) (define-values . 1) (define-library . 1)
    (define-record-type . 2) (lambda . 1) (let . 1) (let* . 1) (letrec . 1)
    (letrec* . 1) (let-values . 1) (let*-values . 1) (let-syntax . 1)
    (letrec-syntax . 1) (parameterize . 1) (when . 1) (unless . 1) (do . 2)
    (case . 1) (guard . 1) (syntax-rules . 1) (dynamic-wind . 0) (begin . 0)
    (call-with-input-file . 1) (call-with-output-file . 1)
    (with-input-from-file . 1) (with-output-to-file . 1)))

(define (text-by write obj)
  (let ((out (open-output-string)))
    (write obj out)
    (get-output-string out)))

;; Does writing OBJ need labels? Then it stands in one line.
(define (labelled? write obj)
  (let ((text (text-by write obj)))
    (let loop ((i 0) (in-string? #f))
      (and (< (+ i 2) (string-length text))
           (let ((char (string-ref text i)))
             (cond (in-string?
                    (loop (+ i (if (char=? char #\\) 2 1))
                          (not (char=? char #\"))))
                   ((char=? char #\") (loop (+ i 1) #t))
                   ((and (char=? char #\#)
                         (char<=? #\0 (string-ref text (+ i 1)) #\9))
                    #t)
                   (else (loop (+ i 1) #f))))))))

;; WRITE makes text of data; PAINT makes a format of an atom and its text; CLOSERS
;; is how many parentheses follow.
(define-record-type printer
  (make-printer write paint columns)
  printer?
  (write printer-write)
  (paint printer-paint)
  (columns printer-columns))

(define (fits? p text column closers)
  (< (+ column (string-length text) closers) (printer-columns p)))

(define (indent column) (each nl (space-to column)))

(define (quote-mark obj)
  (and (pair? (cdr obj))
       (null? (cddr obj))
       (case (car obj)
         ((quote) "'") ((quasiquote) "`") ((unquote) ",")
         ((unquote-splicing) ",@")
         (else #f))))

;; The format of OBJ from COLUMN on.
(define (lay-out p obj column closers)
  (let ((text (text-by (printer-write p) obj)))
    (cond ((and (pair? obj) (quote-mark obj))
           => (lambda (mark)
                (each mark (lay-out p (cadr obj)
                                    (+ column (string-length mark)) closers))))
          ((fits? p text column closers) (one-line p obj text))
          ((pair? obj) (lay-out-pair p obj column closers))
          ((and (vector? obj) (> (vector-length obj) 0))
           (each "#" (lay-out-data p (vector->list obj) (+ column 1) closers)))
          (else ((printer-paint p) obj text)))))

;; In one line, with each atom painted.
(define (one-line p obj text)
  (cond ((and (pair? obj) (not (quote-mark obj)))
         (each "(" (joined/dot (lambda (item) (inner p item))
                               (lambda (item) (each ". " (inner p item)))
                               obj " ")
               ")"))
        ((and (vector? obj) (> (vector-length obj) 0))
         (each "#(" (joined (lambda (item) (inner p item))
                            (vector->list obj) " ")
               ")"))
        (else ((printer-paint p) obj text))))

(define (inner p item)
  (if (and (pair? item) (quote-mark item))
      (each (quote-mark item) (inner p (cadr item)))
      (one-line p item (text-by (printer-write p) item))))

(define (lay-out-pair p obj column closers)
  (cond ((not (symbol? (car obj))) (lay-out-data p obj column closers))
        ((and (assq (car obj) bodies) (list? obj))
         => (lambda (yes) (lay-out-body p obj column closers)))
        ((list? obj) (lay-out-call p obj column closers))
        (else (lay-out-data p obj column closers))))

;; All elements below each other, one column in.
(define (lay-out-data p obj column closers)
  (each "("
        (let loop ((rest obj) (first? #t))
          (cond ((null? rest) nothing)
                ((pair? rest)
                 (each (if first? nothing (indent (+ column 1)))
                       (lay-out p (car rest) (+ column 1)
                                (if (null? (cdr rest)) (+ closers 1) 0))
                       (loop (cdr rest) #f)))
                (else
                 (each (indent (+ column 1)) ". "
                       (lay-out p rest (+ column 3) (+ closers 1))))))
        ")"))

;; Every element of ITEMS from COLUMN on, in lines of their own.
(define (below p items column closers)
  (let loop ((rest items) (first? #t))
    (if (null? rest)
        nothing
        (each (if first? nothing (indent column))
              (lay-out p (car rest) column
                       (if (null? (cdr rest)) (+ closers 1) 0))
              (loop (cdr rest) #f)))))

;; Does each of ITEMS fit in a line of its own from COLUMN on?
(define (all-fit? p items column)
  (or (null? items)
      (and (fits? p (text-by (printer-write p) (car items)) column 1)
           (all-fit? p (cdr items) column))))

;; (head first
;;       second ...) or, where that is too far right, everything one column in.
(define (lay-out-call p obj column closers)
  (let* ((head (text-by (printer-write p) (car obj)))
         (aligned (+ column (string-length head) 2)))
    (cond ((null? (cdr obj)) (each "(" ((printer-paint p) (car obj) head) ")"))
          ((or (all-fit? p (cdr obj) aligned)
               (< aligned (+ column 12)))
           (if (too-deep? p (cdr obj) aligned)
               (lay-out-data p obj column closers)
               (each "(" (painted-head p obj head) " "
                     (below p (cdr obj) aligned closers)
                     ")")))
          (else (lay-out-data p obj column closers)))))

;; Would an atom of ITEMS stick out from COLUMN on, but not one column in?
(define (too-deep? p items column)
  (and (pair? items)
       (or (let ((item (car items)))
             (and (pair? item)
                  (> (+ column (widest p item)) (printer-columns p))))
           (too-deep? p (cdr items) column))))

;; How far an object reaches at least, however it is laid out.
(define (widest p obj)
  (cond ((and (pair? obj) (list? obj))
         (let ((head (if (symbol? (car obj))
                         (+ 2 (string-length (text-by (printer-write p) (car obj))))
                         1)))
           (apply max 1
                  (map (lambda (item)
                         (+ head (widest p item)))
                       (if (symbol? (car obj)) (cdr obj) obj)))))
        (else (string-length (text-by (printer-write p) obj)))))

(define (painted-head p obj head)
  ((printer-paint p) (car obj) head))

;; (head part ...
;;   body ...)
(define (lay-out-body p obj column closers)
  (let* ((head (text-by (printer-write p) (car obj)))
         (count (+ (cdr (assq (car obj) bodies))
                   (if (and (eq? (car obj) 'let)
                            (pair? (cdr obj))
                            (symbol? (cadr obj)))
                       1
                       0)))
         (count (min count (- (length obj) 1)))
         (parts (take (cdr obj) count))
         (body (list-tail (cdr obj) count))
         (after (+ column (string-length head) 2)))
    (each "("
          (painted-head p obj head)
          (lay-out-parts p parts after
                         (if (null? body) (+ closers 1) 0))
          (if (null? body)
              nothing
              (each (indent (+ column 2))
                    (below p body (+ column 2) closers)))
          ")")))

(define (take list n)
  (if (= n 0) '() (cons (car list) (take (cdr list) (- n 1)))))

;; The parts behind a head in one line if they fit, else below each other.
(define (lay-out-parts p parts column closers)
  (let ((texts (map (lambda (part) (text-by (printer-write p) part)) parts)))
    (if (<= (apply + column closers
                   (map (lambda (text) (+ 1 (string-length text))) texts))
            (printer-columns p))
        (each-in-list (map (lambda (part text) (each " " (one-line p part text)))
                           parts texts))
        (let loop ((rest parts) (column column) (out '()))
          (if (null? rest)
              (each-in-list (reverse out))
              (let ((text (text-by (printer-write p) (car rest)))
                    (last? (null? (cdr rest))))
                (if (and (fits? p text column 0) (symbol? (car rest)))
                    (loop (cdr rest) (+ column 1 (string-length text))
                          (cons (each " " (one-line p (car rest) text)) out))
                    (loop (cdr rest) column
                          (cons (each (if (null? out) " " "")
                                      (if (or (null? out)
                                              (symbol? (car (take parts 1))))
                                          nothing
                                          (indent column))
                                      (lay-out p (car rest) column
                                               (if last? closers 0)))
                                out)))))))))

(define (plain obj text) text)

(define (painted obj text)
  (cond ((string? obj) (as-green text))
        ((number? obj) (as-red text))
        ((assq obj bodies) (as-bold text))
        ((boolean? obj) (as-cyan text))
        (else text)))

(define (printing write paint obj)
  (fn (width)
    (each (if (labelled? write obj)
              (text-by write obj)
              (lay-out (make-printer write paint width) obj 0 0))
          nl)))

;;> (pretty obj)
;;> The formatter of OBJ laid out in lines, and a line end.
;;> (show #f (pretty '(a b))) => "(a b)\n"
(define (pretty obj) (printing write plain obj))

;;> (pretty-shared obj)
;;> Like pretty, with labels for all that is shared.
(define (pretty-shared obj) (printing write-shared plain obj))

;;> (pretty-simply obj)
;;> Like pretty, without labels.
(define (pretty-simply obj) (printing write-simple plain obj))

;;> (pretty-color obj)
;;> Like pretty, in colours.
(define (pretty-color obj) (printing write painted obj))
