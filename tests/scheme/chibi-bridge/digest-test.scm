;;; (chibi-bridge digest).
(import (scheme base) (chibi-bridge digest) (chibi-bridge test))

(test-begin "digest")

(test '(#u8(97) #u8(1) #u8(98) #u8(2))
      (map digest-source (list "a" #u8(1) (open-input-string "b")
                               (open-input-bytevector #u8(2)))))
(test '(0 1 #xFFFFFFFF) (map word32 (list (expt 2 32) 1 -1)))
(test '(2 1 #x80000000) (list (rotate-left32 1 1) (rotate-left32 #x80000000 1)
                              (rotate-left32 1 31)))
(test '(1 #x80000000) (list (rotate-right32 2 1) (rotate-right32 1 1)))
;; The starts of the blocks, and the length in bits in the last one.
(define (blocks n)
  (reverse (digest-fold (lambda (out bytes start)
                          (cons (bytevector-u8-ref bytes start) out))
                        '() (make-bytevector n 7)
                        (lambda (bytes start bits)
                          (bytevector-u8-set! bytes start (quotient bits 8))))))
(test '((128) (7) (7 0) (7 128) (7 7))
      (map blocks '(0 55 56 64 65)))

(test-end)
(test-exit)
