;;; (chibi show shared), the body.
;;;
;;; The shared objects are a pair: a table from object to a pair (label . written?),
;;; and the next label. The label is #f before it is needed.

;;> (extract-shared-objects object cyclic-only?)
;;> Return what OBJECT holds more than once; with CYCLIC-ONLY?, what holds itself.
(define (extract-shared-objects object cyclic-only?)
  (let ((counts (make-hash-table eq?)) (shared (make-hash-table eq?)))
    (let find ((x object))
      (when (or (pair? x) (vector? x))
        (hash-table-update!/default counts x (lambda (n) (+ n 1)) 0)
        (when (= 1 (hash-table-ref/default counts x 0))
          (if (pair? x)
              (begin
                (find (car x))
                (find (cdr x)))
              (vector-for-each find x)))
        (if (and cyclic-only? (= 1 (hash-table-ref/default counts x 0)))
            (hash-table-delete! counts x))))
    (hash-table-walk counts
                     (lambda (x n)
                       (if (> n 1) (hash-table-set! shared x (cons #f #f)))))
    (cons shared 0)))

(define (label! cell shares)
  (set-car! cell (cdr shares))
  (set-cdr! cell #t)
  (set-cdr! shares (+ 1 (cdr shares)))
  (number->string (car cell)))

(define (cell-of object shares)
  (hash-table-ref/default (car shares) object #f))

;;> (call-with-shared-ref object shares each formatter)
;;> Return what EACH joins: #n# where OBJECT was shown, else FORMATTER, with #n= before
;;> a shared one.
(define (call-with-shared-ref object shares each formatter)
  (let ((cell (cell-of object shares)))
    (cond ((not cell) (each formatter))
          ((cdr cell) (each "#" (number->string (car cell)) "#"))
          (else (each "#" (label! cell shares) "=" formatter)))))

;;> (call-with-shared-ref/cdr object shares each formatter [separator])
;;> The same for the rest of a list, which a shared one follows after a dot.
(define (call-with-shared-ref/cdr object shares each formatter . rest)
  (let ((cell (cell-of object shares))
        (separator (if (pair? rest) (car rest) "")))
    (cond ((not cell) (each separator formatter))
          ((cdr cell) (each separator ". #" (number->string (car cell)) "#"))
          (else
           (each separator ". #" (label! cell shares) "=(" formatter ")")))))
