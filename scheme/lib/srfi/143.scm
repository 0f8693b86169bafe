;;; SRFI 143, the body.

;;> fx-width
;;> How many bits a fixnum has.
(define fx-width 61)

;;> fx-greatest
;;> The greatest fixnum.
(define fx-greatest (- (expt 2 60) 1))

;;> fx-least
;;> The least fixnum.
(define fx-least (- (expt 2 60)))

;;> (fixnum? obj)
;;> Is OBJ a fixnum? (fixnum? (expt 2 60)) => #f
(define (fixnum? obj)
  (and (exact-integer? obj) (<= fx-least obj fx-greatest)))

;; N, which must be a fixnum.
(define (fx who n)
  (if (fixnum? n)
      n
      (error (string-append (symbol->string who) ": not a fixnum") n)))

(define (check-all who all)
  (for-each (lambda (n) (fx who n)) all))

;;> (fx=? i j ...)
;;> Are all the fixnums equal?
(define (fx=? i j . rest)
  (check-all 'fx=? (cons i (cons j rest)))
  (apply = i j rest))

;;> (fx<? i j ...)
;;> Do the fixnums increase?
(define (fx<? i j . rest)
  (check-all 'fx<? (cons i (cons j rest)))
  (apply < i j rest))

;;> (fx>? i j ...)
;;> Do the fixnums decrease?
(define (fx>? i j . rest)
  (check-all 'fx>? (cons i (cons j rest)))
  (apply > i j rest))

;;> (fx<=? i j ...)
;;> Does none of the fixnums exceed the next?
(define (fx<=? i j . rest)
  (check-all 'fx<=? (cons i (cons j rest)))
  (apply <= i j rest))

;;> (fx>=? i j ...)
;;> Is none of the fixnums below the next?
(define (fx>=? i j . rest)
  (check-all 'fx>=? (cons i (cons j rest)))
  (apply >= i j rest))

;;> (fxmax i j ...)
;;> Return the greatest fixnum.
(define (fxmax i . rest)
  (check-all 'fxmax (cons i rest))
  (apply max i rest))

;;> (fxmin i j ...)
;;> Return the least fixnum.
(define (fxmin i . rest)
  (check-all 'fxmin (cons i rest))
  (apply min i rest))

;;> (fxzero? i)
;;> Is I zero?
(define (fxzero? i) (zero? (fx 'fxzero? i)))

;;> (fxpositive? i)
;;> Is I above zero?
(define (fxpositive? i) (positive? (fx 'fxpositive? i)))

;;> (fxnegative? i)
;;> Is I below zero?
(define (fxnegative? i) (negative? (fx 'fxnegative? i)))

;;> (fxodd? i)
;;> Is I odd?
(define (fxodd? i) (odd? (fx 'fxodd? i)))

;;> (fxeven? i)
;;> Is I even?
(define (fxeven? i) (even? (fx 'fxeven? i)))

;;> (fx+ i j)
;;> Return the sum.
(define (fx+ i j) (fx 'fx+ (+ (fx 'fx+ i) (fx 'fx+ j))))

;;> (fx- i j)
;;> Return the difference.
(define (fx- i j) (fx 'fx- (- (fx 'fx- i) (fx 'fx- j))))

;;> (fx* i j)
;;> Return the product.
(define (fx* i j) (fx 'fx* (* (fx 'fx* i) (fx 'fx* j))))

;;> (fxquotient i j)
;;> Return I divided by J, truncated.
(define (fxquotient i j) (fx 'fxquotient (quotient (fx 'fxquotient i) (fx 'fxquotient j))))

;;> (fxremainder i j)
;;> Return what fxquotient leaves.
(define (fxremainder i j) (fx 'fxremainder (remainder (fx 'fxremainder i) (fx 'fxremainder j))))

;;> (fxneg i)
;;> Return the negative.
(define (fxneg i) (fx 'fxneg (- (fx 'fxneg i))))

;;> (fxabs i)
;;> Return the absolute value.
(define (fxabs i) (fx 'fxabs (abs (fx 'fxabs i))))

;;> (fxsquare i)
;;> Return the square.
(define (fxsquare i) (fx 'fxsquare (square (fx 'fxsquare i))))

;;> (fxsqrt i)
;;> Return the whole part of I's root and the rest.
;;> (call-with-values (lambda () (fxsqrt 10)) list) => (3 1)
(define (fxsqrt i) (exact-integer-sqrt (fx 'fxsqrt i)))

;; Values: the lowest fx-width bits of N as a fixnum, and the rest.
(define (carried n)
  (call-with-values (lambda () (balanced/ n (expt 2 fx-width)))
    (lambda (high low) (values low high))))

;;> (fx+/carry i j k)
;;> Return I + J + K as a fixnum and a carry of the next higher width.
(define (fx+/carry i j k)
  (check-all 'fx+/carry (list i j k))
  (carried (+ i j k)))

;;> (fx-/carry i j k)
;;> Return I - J - K as a fixnum and a carry of the next higher width.
(define (fx-/carry i j k)
  (check-all 'fx-/carry (list i j k))
  (carried (- i j k)))

;;> (fx*/carry i j k)
;;> Return I * J + K as a fixnum and a carry of the next higher width.
(define (fx*/carry i j k)
  (check-all 'fx*/carry (list i j k))
  (carried (+ (* i j) k)))

;;> (fxnot i)
;;> Return the complement of I's bits.
(define (fxnot i) (bitwise-not (fx 'fxnot i)))

;;> (fxand i ...)
;;> Return the bits that all have.
(define (fxand . all)
  (check-all 'fxand all)
  (apply bitwise-and all))

;;> (fxior i ...)
;;> Return the bits that any has.
(define (fxior . all)
  (check-all 'fxior all)
  (apply bitwise-ior all))

;;> (fxxor i ...)
;;> Return the bits that an odd number of them have.
(define (fxxor . all)
  (check-all 'fxxor all)
  (apply bitwise-xor all))

;; N, a number of bits.
(define (amount n)
  (if (and (exact-integer? n) (< (- fx-width) n fx-width))
      n
      (error "not a number of bits in a fixnum" n)))

;;> (fxarithmetic-shift i n)
;;> Return I shifted N bits to the left, or to the right for a negative N.
(define (fxarithmetic-shift i n)
  (fx 'fxarithmetic-shift
      (arithmetic-shift (fx 'fxarithmetic-shift i) (amount n))))

;;> (fxarithmetic-shift-left i n)
;;> Return I shifted N bits to the left.
(define (fxarithmetic-shift-left i n) (fxarithmetic-shift i n))

;;> (fxarithmetic-shift-right i n)
;;> Return I shifted N bits to the right.
(define (fxarithmetic-shift-right i n) (fxarithmetic-shift i (- n)))

;;> (fxbit-count i)
;;> Return the number of bits that are set, of a negative I those that are not.
(define (fxbit-count i) (bit-count (fx 'fxbit-count i)))

;;> (fxlength i)
;;> Return the number of bits that I needs.
(define (fxlength i) (integer-length (fx 'fxlength i)))

;;> (fxif mask i j)
;;> Return the bits of I where MASK has them, else those of J.
(define (fxif mask i j)
  (check-all 'fxif (list mask i j))
  (bitwise-if mask i j))

;;> (fxbit-set? index i)
;;> Is bit INDEX of I set?
(define (fxbit-set? index i) (bit-set? index (fx 'fxbit-set? i)))

;;> (fxcopy-bit index i on?)
;;> Return I with bit INDEX set or not.
(define (fxcopy-bit index i on?)
  (fx 'fxcopy-bit (copy-bit index (fx 'fxcopy-bit i) on?)))

;;> (fxfirst-set-bit i)
;;> Return the index of the lowest bit that is set, -1 if none is.
(define (fxfirst-set-bit i) (first-set-bit (fx 'fxfirst-set-bit i)))

;;> (fxbit-field i start end)
;;> Return the bits of I from START up to END.
(define (fxbit-field i start end)
  (bit-field (fx 'fxbit-field i) start end))

;;> (fxbit-field-rotate i k start end)
;;> Return I with the bits from START up to END rotated K to the left.
(define (fxbit-field-rotate i k start end)
  (fx 'fxbit-field-rotate
      (bit-field-rotate (fx 'fxbit-field-rotate i) k start end)))

;;> (fxbit-field-reverse i start end)
;;> Return I with the bits from START up to END in reverse.
(define (fxbit-field-reverse i start end)
  (fx 'fxbit-field-reverse
      (bit-field-reverse (fx 'fxbit-field-reverse i) start end)))
