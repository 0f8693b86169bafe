;;; (srfi 166 pretty).
(import (scheme base) (scheme read) (srfi 166 base) (srfi 166 pretty) (chibi-bridge test))

(define-syntax t
  (syntax-rules () ((_ text) (test text (show #f (pretty (read (open-input-string text))))))))

(test-begin "srfi 166 pretty")

(t "(foo bar)\n")
(t "((self . aquanet-paper-1991)
 (type . paper)
 (title . \"Aquanet: a hypertext tool to hold your\"))
")
(t "(abracadabra xylophone
             bananarama
             yellowstonepark
             cryptoanalysis
             zebramania
             delightful
             wubbleflubbery)\n")
(t "(define (fold kons knil ls)
  (define (loop ls acc)
    (if (null? ls) acc (loop (cdr ls) (kons (car ls) acc))))
  (loop ls knil))\n")
(t "(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i))\n")
(t "(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec)
  (vector-set! vec i 'supercalifrajalisticexpialidocious))\n")
(t "(do ((a-my-vector (make-vector 5)) (index 0 (+ index 1)))
    ((= index 5) a-my-vector)
  (vector-set! a-my-vector index index))\n")
(t "(define (fold kons knil ls)
  (let loop ((ls ls) (acc knil))
    (if (null? ls) acc (loop (cdr ls) (kons (car ls) acc)))))\n")
(t "(define (file->sexp-list pathname)
  (call-with-input-file pathname
    (lambda (port)
      (let loop ((res '()))
        (let ((line (read port)))
          (if (eof-object? line) (reverse res) (loop (cons line res))))))))\n")
(t "#(1 2 \"a\" (b . c))\n")
(test "(let ((ones (quote #0=(1 . #0#)))) ones)\n"
      (show #f (pretty (let ((ones (list 1)))
                         (set-cdr! ones ones)
                         `(let ((ones ',ones)) ones)))))
(test "(#0=(1) #0#)\n" (show #f (pretty-shared (let ((l (list 1))) (list l l)))))
(test "((1) (1))\n" (show #f (pretty-simply (let ((l (list 1))) (list l l)))))
(test "(\x1b;[1mdefine\x1b;[22m x \x1b;[32m\"a\"\x1b;[39m)\n" (show #f (pretty-color '(define x "a"))))
;; Whatever the width, nothing is lost.
(define data '(define (f x #(1 2 (3 4)) . y) "text" (g '(a b) `(c ,d ,@e)) (cond ((a b) c) (else d))))
(test #t (let loop ((n 1))
           (or (> n 90)
               (and (equal? data (read (open-input-string (show #f (with ((width n)) (pretty data))))))
                    (loop (+ n 1))))))

(test-end)
(test-exit)
