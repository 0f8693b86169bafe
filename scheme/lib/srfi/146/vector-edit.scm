;;; (srfi 146 vector-edit), the body.

;;> (vector-without vector start end)
;;> Return a copy without the elements from START to END.
;;> (vector-without #(a b c d) 1 3) => #(a d)
(define (vector-without vector start end)
  (vector-append (vector-copy vector 0 start) (vector-copy vector end)))

;;> (vector-replace-one vector i object)
;;> Return a copy with OBJECT as element I. (vector-replace-one #(a b) 1 'c) => #(a c)
(define (vector-replace-one vector i object)
  (let ((copy (vector-copy vector)))
    (vector-set! copy i object)
    copy))

;;> (vector-edit vector (add index object) ... (drop index count) ...)
;;> Return a copy with some changes, which stand in the order of their places: (add i x)
;;> puts X before what was element I, (drop i n) leaves out N elements from I on.
;;> (vector-edit #(a b c) (add 1 x) (drop 2 1)) => #(a x b)
(define-syntax vector-edit
  (syntax-rules ()
    ((_ vector edit ...)
     (let ((v vector))
       (edit-parts v 0 () edit ...)))))

(define-syntax edit-parts
  (syntax-rules (add drop)
    ((_ v from (part ...))
     (let ((start from))
       (vector-append part ... (vector-copy v start))))
    ((_ v from (part ...) (add i x) . more)
     (let* ((at i) (before (vector-copy v from at)))
       (edit-parts v at (part ... before (vector x)) . more)))
    ((_ v from (part ...) (drop i n) . more)
     (let* ((at i) (before (vector-copy v from at)))
       (edit-parts v (+ at n) (part ... before) . more)))))
