;;; SRFI 33, what SRFI 60 and SRFI 151 do not have under that name.

(define (mask size position)
  (arithmetic-shift (- (arithmetic-shift 1 size) 1) position))

;;> (all-bits-set? test n)
;;> Are all bits of TEST set in N? (all-bits-set? 5 7) => #t
(define (all-bits-set? test n) (= test (bitwise-and test n)))

;;> (extract-bit-field size position n)
;;> Return the field of N, shifted down. (extract-bit-field 2 1 6) => 3
(define (extract-bit-field size position n)
  (bitwise-and (mask size 0) (arithmetic-shift n (- position))))

;;> (test-bit-field? size position n)
;;> Is a bit of the field set?
(define (test-bit-field? size position n)
  (not (zero? (bitwise-and (mask size position) n))))

;;> (clear-bit-field size position n)
;;> Return N with no bit of the field set.
(define (clear-bit-field size position n)
  (bitwise-andc2 n (mask size position)))

;;> (replace-bit-field size position field n)
;;> Return N with the lowest bits of FIELD in its field.
;;> (replace-bit-field 2 1 1 6) => 2
(define (replace-bit-field size position field n)
  (bitwise-merge (mask size position) (arithmetic-shift field position) n))

;;> (copy-bit-field size position from to)
;;> Return TO with the field of FROM.
(define (copy-bit-field size position from to)
  (bitwise-merge (mask size position) from to))
