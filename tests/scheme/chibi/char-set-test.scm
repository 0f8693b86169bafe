;;; (chibi char-set), with its parts base and extras.
(import (scheme base) (chibi char-set) (prefix (chibi char-set base) b:)
        (prefix (chibi char-set extras) e:) (chibi-bridge test))

(define ab (char-set #\a #\b))
(define (same? a b) (equal? (char-set->list a) (char-set->list b)))

(test-begin "char-set")

(test '(#t #f #t #f) (list (char-set? ab) (b:char-set? 1) (char-set-contains? ab #\a)
                           (b:char-set-contains? ab #\c)))
(test #t (char-set-contains? (immutable-char-set ab) #\a))
(test #t (b:immutable-char-set #t))
(test '(#\a #\b) (char-set->list (ucs-range->char-set 97 99)))
(test '(2 "ab" (#\b #\a) #t) (list (char-set-size ab) (char-set->string (char-set-copy ab))
                                  (char-set-fold cons '() ab) (same? ab (string->char-set "ba"))))
(test '(#\b #\a) (let ((out '())) (char-set-for-each (lambda (c) (set! out (cons c out))) ab) out))
(test '("abc" "abc" "abc" "abc" "a" "a" "b" "b")
      (map char-set->string
           (list (char-set-adjoin ab #\c) (char-set-adjoin! (char-set-copy ab) #\c)
                 (char-set-union ab (char-set #\c)) (char-set-union! (char-set-copy ab) (char-set #\c))
                 (char-set-intersection ab (char-set #\a))
                 (char-set-intersection! (char-set-copy ab) (char-set #\a))
                 (char-set-difference ab (char-set #\a))
                 (char-set-difference! (char-set-copy ab) (char-set #\a)))))
(test #t (same? ab (list->char-set '(#\a #\b))))
(test '(#f #t) (list (char-set-contains? (char-set-complement ab) #\a)
                     (char-set-contains? (char-set-complement ab) #\c)))
(test '(0 128 #t) (list (char-set-size char-set:empty) (char-set-size char-set:ascii)
                        (char-set-contains? char-set:full #\x10FFFF)))
(test 2 (e:char-set-size (e:char-set #\x #\y)))

(test-end)
(test-exit)
