;;; SRFI 26.
(import (scheme base) (srfi 26)
        (chibi-bridge test))

(test-begin "srfi 26")

(define (count-up! . rest) (set! count (+ count 1)) count)
(define count 0)

(test '() ((cut list)))
(test '() ((cut list <...>)))
(test '(1) ((cut list 1)))
(test '(5) ((cut list <>) 5))
(test '(1 5 3 7) ((cut list 1 <> 3 <>) 5 7))
(test '(1 5 3 7 8) ((cut list 1 <> 3 <...>) 5 7 8))
(test '(1 5) ((cut list 1 <...>) 5))
(test 2 ((cut <> 1) (cut + <> 1)))
(test '(1 2) ((cut <> <...>) list 1 2))
(test #f ((cut and #t <>) #f))
(test-error ((cut list <>)))
(test-error ((cut list <>) 1 2))
(test '(2 4 6) (map (cut * 2 <>) '(1 2 3)))
(test '(1 2) (let ((f (cut list (count-up!))))
               (append (f) (f))))

(set! count 0)
(test '(1 1) (let ((f (cute list (count-up!))))
               (append (f) (f))))
(test '() ((cute list)))
(test '(1 5 3 7 8) ((cute list 1 <> 3 <...>) 5 7 8))
(test '(1 2) ((cute <> 1 <>) list 2))

;; The names of the caller are not taken for those of the macro.
(test '(slot value rest 9)
      (let ((slot 'slot) (value 'value) (rest 'rest))
        ((cut list slot value rest <>) 9)))
(test '(slot value 9)
      (let ((slot 'slot) (value 'value))
        ((cute list slot value <>) 9)))

(test-end)
(test-exit)
