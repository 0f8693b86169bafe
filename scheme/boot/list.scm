;;; Lists: the procedures of R7RS 6.4 and 6.10 that call procedures.
;;;
;;; Results are built in a fresh list of what was answered so far, which nobody
;;; changes: a continuation captured in a call of the procedure and entered
;;; again later gives a new result and leaves the earlier one alone.

(define (%check-end who index rest whole)
  (if (not (null? rest)) (%raise-type who index "list" whole)))

(define (%map1 f list)
  (let loop ((rest list) (out '()))
    (if (pair? rest)
        (loop (cdr rest) (cons (f (car rest)) out))
        (begin (%check-end 'map 1 rest list) (reverse out)))))

;; At the end of the shortest of several lists: what is no pair is the empty
;; list. RESTS are what is left of the arguments from 1 on.
(define (%check-ends who rests)
  (let loop ((rests rests) (index 1))
    (if (pair? rests)
        (let ((rest (car rests)))
          (if (not (pair? rest)) (%check-end who index rest rest))
          (loop (cdr rests) (+ index 1))))))

(define (%map2 f a b)
  (let loop ((a a) (b b) (out '()))
    (if (and (pair? a) (pair? b))
        (loop (cdr a) (cdr b) (cons (f (car a) (car b)) out))
        (begin (%check-ends 'map (list a b)) (reverse out)))))

;; The first elements of LISTS, and what is behind them: #f when one is at its
;; end.
(define (%firsts lists)
  (let loop ((rest lists) (out '()))
    (cond ((null? rest) (reverse out))
          ((pair? (car rest)) (loop (cdr rest) (cons (caar rest) out)))
          (else #f))))

(define (%rests lists) (%map1 cdr lists))

(define (%map-n f lists)
  (let loop ((lists lists) (out '()))
    (let ((firsts (%firsts lists)))
      (if firsts
          (loop (%rests lists) (cons (apply f firsts) out))
          (begin (%check-ends 'map lists) (reverse out))))))

(define (map f list . more)
  (cond ((null? more) (%map1 f list))
        ((null? (cdr more)) (%map2 f list (car more)))
        (else (%map-n f (cons list more)))))

(define (%for-each1 f list)
  (let loop ((rest list))
    (if (pair? rest)
        (begin (f (car rest)) (loop (cdr rest)))
        (%check-end 'for-each 1 rest list))))

(define (%for-each2 f a b)
  (if (and (pair? a) (pair? b))
      (begin (f (car a) (car b)) (%for-each2 f (cdr a) (cdr b)))
      (%check-ends 'for-each (list a b))))

(define (%for-each-n f lists)
  (let ((firsts (%firsts lists)))
    (if firsts
        (begin (apply f firsts) (%for-each-n f (%rests lists)))
        (%check-ends 'for-each lists))))

(define (for-each f list . more)
  (cond ((null? more) (%for-each1 f list))
        ((null? (cdr more)) (%for-each2 f list (car more)))
        (else (%for-each-n f (cons list more)))))

(define (%member-by same? object list)
  (let loop ((rest list))
    (cond ((pair? rest)
           (if (same? object (car rest)) rest (loop (cdr rest))))
          (else (%check-end 'member 1 rest list) #f))))

(define member
  (case-lambda
    ((object list) (%member object list))
    ((object list same?) (%member-by same? object list))))

(define (%assoc-by same? object list)
  (let loop ((rest list))
    (cond ((pair? rest)
           (let ((entry (car rest)))
             (if (not (pair? entry)) (%raise-type 'assoc 1 "alist" list))
             (if (same? object (car entry)) entry (loop (cdr rest)))))
          (else (%check-end 'assoc 1 rest list) #f))))

(define assoc
  (case-lambda
    ((object list) (%assoc object list))
    ((object list same?) (%assoc-by same? object list))))

;; LISTS, the last one first, in front of TAIL.
(define (%append-reversed lists tail)
  (if (pair? lists)
      (%append-reversed (cdr lists) (%append2 (car lists) tail))
      tail))

(define append
  (case-lambda
    (() '())
    ((tail) tail)
    ((list tail) (%append2 list tail))
    (lists
     (let ((reversed (reverse lists)))
       (%append-reversed (cdr reversed) (car reversed))))))
