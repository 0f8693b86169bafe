;;; (chibi show shared).
(import (scheme base) (chibi show shared) (chibi-bridge test))

(define x (list 1))
(define twice (list x x))
(define loop (let ((l (list 1 2))) (set-cdr! (cdr l) l) l))
(define (ref object shares) (call-with-shared-ref object shares list 'f))

(test-begin "show shared")

(let ((shares (extract-shared-objects twice #f)))
  (test '((f) ("#" "0" "=" f) ("#" "0" "#")) (list (ref twice shares) (ref x shares) (ref x shares))))
(test '(f) (ref x (extract-shared-objects twice #t)))
(let ((shares (extract-shared-objects loop #t)))
  (test '(("#" "0" "=" f) ("#" "0" "#") (f)) (list (ref loop shares) (ref loop shares) (ref (cdr loop) shares))))
(let ((shares (extract-shared-objects (vector x x) #f)) (rest (lambda (o s) (call-with-shared-ref/cdr o s list 'f " "))))
  (test '((" " f) (" " ". #" "0" "=(" f ")") (" " ". #" "0" "#"))
        (list (rest '(1) shares) (rest x shares) (rest x shares)))
  (test '("" f) (call-with-shared-ref/cdr '(2) shares list 'f)))

(test-end)
(test-exit)
