;;; SRFI 60, the body, over the engine's operations on bits. A field is from bit
;;; START to before bit END.

;;> (logand n ...)
;;> Return the bits that are set in all of the integers. (logand 12 10) => 8
(define logand bitwise-and)

;;> (logior n ...)
;;> Return the bits that are set in any of the integers. (logior 12 10) => 14
(define logior bitwise-ior)

;;> (logxor n ...)
;;> Return the bits that are set in an odd number of them. (logxor 12 10) => 6
(define logxor bitwise-xor)

;;> (lognot n)
;;> Return N with every bit the other way. (lognot 0) => -1
(define lognot bitwise-not)

;;> (bitwise-if mask a b)
;;> Return the bits of A where MASK is set, of B elsewhere.
;;> (bitwise-if 1 1 2) => 3
(define (bitwise-if mask a b)
  (bitwise-ior (bitwise-and mask a)
               (bitwise-and (bitwise-not mask) b)))

;;> (bitwise-merge mask a b)
;;> The other name of bitwise-if.
(define bitwise-merge bitwise-if)

;;> (logtest a b)
;;> Is a bit set in both? (logtest 4 6) => #t
(define (logtest a b) (not (zero? (bitwise-and a b))))

;;> (any-bits-set? a b)
;;> The other name of logtest.
(define any-bits-set? logtest)

;;> (logcount n)
;;> Count the bits that are set, of a negative N those that are not.
;;> (logcount 170) => 4
(define logcount bit-count)

;;> (log2-binary-factors n)
;;> Return the index of the lowest bit that is set, -1 for 0.
;;> (log2-binary-factors 24) => 3
(define (log2-binary-factors n)
  (- (integer-length (bitwise-and n (- n))) 1))

;;> (first-set-bit n)
;;> The other name of log2-binary-factors.
(define first-set-bit log2-binary-factors)

;;> (logbit? index n)
;;> Is this bit of N set? (logbit? 1 2) => #t
(define logbit? bit-set?)

;;> (copy-bit index n bit)
;;> Return N with this bit set or, where BIT is #f, not. (copy-bit 0 0 #t) => 1
(define (copy-bit index n bit)
  (let ((mask (arithmetic-shift 1 index)))
    (if bit
        (bitwise-ior n mask)
        (bitwise-and n (bitwise-not mask)))))

;; WIDTH bits that are set.
(define (ones width)
  (- (arithmetic-shift 1 width) 1))

;;> (bit-field n start end)
;;> Return the field of N, shifted down. (bit-field 214 2 5) => 5
(define (bit-field n start end)
  (bitwise-and (ones (- end start)) (arithmetic-shift n (- start))))

;;> (copy-bit-field to from start end)
;;> Return TO with the lowest bits of FROM in its field.
;;> (copy-bit-field 0 -1 1 3) => 6
(define (copy-bit-field to from start end)
  (bitwise-if (arithmetic-shift (ones (- end start)) start)
              (arithmetic-shift from start)
              to))

;;> (ash n count)
;;> Return N shifted left, by a negative COUNT right. (ash 8 -1) => 4
(define ash arithmetic-shift)

;;> (rotate-bit-field n count start end)
;;> Return N with its field rotated left by COUNT bits.
;;> (rotate-bit-field 7 3 2 6) => 35
(define (rotate-bit-field n count start end)
  (let ((width (- end start)))
    (if (<= width 0)
        n
        (let* ((count (modulo count width))
               (field (bit-field n start end)))
          (copy-bit-field
           n
           (bitwise-ior (arithmetic-shift field count)
                        (arithmetic-shift field (- count width)))
           start end)))))

;; The lowest WIDTH bits of n, the other way round.
(define (reversed n width)
  (let loop ((n n) (width width) (out 0))
    (if (= width 0)
        out
        (loop (arithmetic-shift n -1)
              (- width 1)
              (bitwise-ior (arithmetic-shift out 1) (bitwise-and n 1))))))

;;> (reverse-bit-field n start end)
;;> Return N with the bits of its field in reverse order.
;;> (reverse-bit-field 13 0 4) => 11
(define (reverse-bit-field n start end)
  (copy-bit-field n
                  (reversed (bit-field n start end) (- end start))
                  start end))

;;> (integer->list n [length])
;;> Return the bits of N as booleans, the lowest one last.
;;> (integer->list 5 4) => (#f #t #f #t)
(define (integer->list n . rest)
  (let ((length (if (pair? rest) (car rest) (integer-length n))))
    (let loop ((i 0) (out '()))
      (if (< i length)
          (loop (+ i 1) (cons (bit-set? i n) out))
          out))))

;;> (list->integer booleans)
;;> Return the integer of these bits, the lowest one last.
;;> (list->integer '(#t #f #t)) => 5
(define (list->integer booleans)
  (let loop ((rest booleans) (out 0))
    (if (pair? rest)
        (loop (cdr rest) (+ out out (if (car rest) 1 0)))
        out)))

;;> (booleans->integer boolean ...)
;;> Return the integer of these bits, the lowest one last.
(define (booleans->integer . booleans) (list->integer booleans))
