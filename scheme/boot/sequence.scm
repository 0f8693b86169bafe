;;; Vectors and strings: the procedures of R7RS 6.10 over them. As in list.scm
;;; the results are made at the end, from a list that nobody changes.

(define (%shortest length-of first more)
  (let loop ((shortest (length-of first)) (more more))
    (if (pair? more)
        (let ((n (length-of (car more))))
          (loop (if (< n shortest) n shortest) (cdr more)))
        shortest)))

;; Calls of F with the Ith elements of all SEQUENCES.
(define (%apply-at f ref sequences i)
  (apply f (%map1 (lambda (sequence) (ref sequence i)) sequences)))

(define (%collect f ref n first more)
  (if (null? more)
      (let loop ((i 0) (out '()))
        (if (< i n)
            (loop (+ i 1) (cons (f (ref first i)) out))
            (reverse out)))
      (let ((sequences (cons first more)))
        (let loop ((i 0) (out '()))
          (if (< i n)
              (loop (+ i 1) (cons (%apply-at f ref sequences i) out))
              (reverse out))))))

(define (%visit f ref n first more)
  (if (null? more)
      (let loop ((i 0))
        (if (< i n)
            (begin (f (ref first i)) (loop (+ i 1)))))
      (let ((sequences (cons first more)))
        (let loop ((i 0))
          (if (< i n)
              (begin (%apply-at f ref sequences i) (loop (+ i 1))))))))

(define (vector-map f vector . more)
  (list->vector
   (%collect f vector-ref (%shortest vector-length vector more) vector more)))

(define (vector-for-each f vector . more)
  (%visit f vector-ref (%shortest vector-length vector more) vector more))

(define (string-map f string . more)
  (list->string
   (%collect f string-ref (%shortest string-length string more) string more)))

(define (string-for-each f string . more)
  (%visit f string-ref (%shortest string-length string more) string more))
