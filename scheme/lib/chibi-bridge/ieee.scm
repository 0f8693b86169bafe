;;; Flonums as bits, the body.

(define (power-of-two n) (arithmetic-shift 1 n))

;; The sign bit of X, also of zeros and NaNs.
(define (sign-bit x)
  (arithmetic-shift (flonum->double-bits x) -63))

;;> (flonum->bits x exponent-bits fraction-bits)
;;> Return the bits of X in the format with so many bits of exponent and fraction,
;;> as an integer. (flonum->bits 1.0 8 23) => 1065353216
(define (flonum->bits x exponent-bits fraction-bits)
  (+ (arithmetic-shift (sign-bit x) (+ exponent-bits fraction-bits))
     (let ((infinity (arithmetic-shift (- (power-of-two exponent-bits) 1)
                                       fraction-bits)))
       (cond ((nan? x) (+ infinity (power-of-two (- fraction-bits 1))))
             ((infinite? x) infinity)
             ((= x 0) 0)
             (else
              (min infinity
                   (magnitude-bits (abs (exact x)) exponent-bits
                                   fraction-bits)))))))

;; X is an exact number above 0. LEAST is the exponent of the last bit of the
;; smallest numbers; a number with that exponent and more bits is a normal one.
(define (magnitude-bits x exponent-bits fraction-bits)
  (let* ((bias (- (power-of-two (- exponent-bits 1)) 1))
         (least (- 1 bias fraction-bits))
         (length (- (integer-length (numerator x))
                    (integer-length (denominator x))))
         (top (if (>= x (expt 2 length)) length (- length 1)))
         (last (max least (- top fraction-bits)))
         (digits (round (* x (expt 2 (- last))))))
    (+ (arithmetic-shift (- last least) fraction-bits) digits)))

;;> (bits->flonum bits exponent-bits fraction-bits)
;;> Return the number with these bits. (bits->flonum 1065353216 8 23) => 1.0
(define (bits->flonum bits exponent-bits fraction-bits)
  (let* ((ones (- (power-of-two exponent-bits) 1))
         (fraction (bitwise-and bits (- (power-of-two fraction-bits) 1)))
         (field (bitwise-and (arithmetic-shift bits (- fraction-bits)) ones))
         (least (- 2 (power-of-two (- exponent-bits 1)) fraction-bits))
         (magnitude
          (cond ((< field ones)
                 (inexact
                  (if (= field 0)
                      (* fraction (expt 2 least))
                      (* (+ fraction (power-of-two fraction-bits))
                         (expt 2 (+ least field -1))))))
                ((= fraction 0) +inf.0)
                (else +nan.0))))
    (if (= (arithmetic-shift bits (- (+ exponent-bits fraction-bits))) 0)
        magnitude
        (- magnitude))))

;;> (flonum->half-bits x)
;;> Return the 16 bits of X. (flonum->half-bits 1.0) => 15360
(define (flonum->half-bits x) (flonum->bits x 5 10))

;;> (half-bits->flonum bits)
;;> Return the number with these 16 bits. (half-bits->flonum 15360) => 1.0
(define (half-bits->flonum bits) (bits->flonum bits 5 10))

;;> (flonum->single-bits x)
;;> Return the 32 bits of X. (flonum->single-bits -2.0) => 3221225472
(define (flonum->single-bits x) (flonum->bits x 8 23))

;;> (single-bits->flonum bits)
;;> Return the number with these 32 bits. (single-bits->flonum 3221225472) => -2.0
(define (single-bits->flonum bits) (bits->flonum bits 8 23))

;;> (flonum->double-bits x)
;;> Return the 64 bits of X. (flonum->double-bits 0.0) => 0
(define (flonum->double-bits x)
  (bitwise-and (%flonum-bits x) #xFFFFFFFFFFFFFFFF))

;;> (double-bits->flonum bits)
;;> Return the number with these 64 bits. (double-bits->flonum 0) => 0.0
(define (double-bits->flonum bits) (%bits-flonum bits))
