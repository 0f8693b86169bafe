;;; SRFI 144, the body.

;; -- constants --------------------------------------------------------------

;;> fl-e
;;> E.
(define fl-e 2.718281828459045)

;;> fl-1/e
;;> 1/e.
(define fl-1/e 0.36787944117144233)

;;> fl-e-2
;;> The square of e.
(define fl-e-2 7.38905609893065)

;;> fl-e-pi/4
;;> E to the power pi/4.
(define fl-e-pi/4 2.1932800507380152)

;;> fl-log2-e
;;> The logarithm of e to base 2.
(define fl-log2-e 1.4426950408889634)

;;> fl-log10-e
;;> The logarithm of e to base 10.
(define fl-log10-e 0.4342944819032518)

;;> fl-log-2
;;> The natural logarithm of 2.
(define fl-log-2 0.6931471805599453)

;;> fl-1/log-2
;;> 1/log 2.
(define fl-1/log-2 1.4426950408889634)

;;> fl-log-3
;;> The natural logarithm of 3.
(define fl-log-3 1.0986122886681098)

;;> fl-log-pi
;;> The natural logarithm of pi.
(define fl-log-pi 1.1447298858494002)

;;> fl-log-10
;;> The natural logarithm of 10.
(define fl-log-10 2.302585092994046)

;;> fl-1/log-10
;;> 1/log 10.
(define fl-1/log-10 0.4342944819032518)

;;> fl-pi
;;> Pi.
(define fl-pi 3.141592653589793)

;;> fl-1/pi
;;> 1/pi.
(define fl-1/pi 0.3183098861837907)

;;> fl-2pi
;;> 2 pi.
(define fl-2pi 6.283185307179586)

;;> fl-pi/2
;;> Pi/2.
(define fl-pi/2 1.5707963267948966)

;;> fl-pi/4
;;> Pi/4.
(define fl-pi/4 0.7853981633974483)

;;> fl-pi-squared
;;> The square of pi.
(define fl-pi-squared 9.869604401089358)

;;> fl-degree
;;> Pi/180.
(define fl-degree 0.017453292519943295)

;;> fl-2/pi
;;> 2/pi.
(define fl-2/pi 0.6366197723675814)

;;> fl-2/sqrt-pi
;;> 2 divided by the root of pi.
(define fl-2/sqrt-pi 1.1283791670955126)

;;> fl-sqrt-2
;;> The root of 2.
(define fl-sqrt-2 1.4142135623730951)

;;> fl-sqrt-3
;;> The root of 3.
(define fl-sqrt-3 1.7320508075688772)

;;> fl-sqrt-5
;;> The root of 5.
(define fl-sqrt-5 2.23606797749979)

;;> fl-sqrt-10
;;> The root of 10.
(define fl-sqrt-10 3.1622776601683795)

;;> fl-1/sqrt-2
;;> 1 divided by the root of 2.
(define fl-1/sqrt-2 0.7071067811865476)

;;> fl-cbrt-2
;;> The cube root of 2.
(define fl-cbrt-2 1.2599210498948732)

;;> fl-cbrt-3
;;> The cube root of 3.
(define fl-cbrt-3 1.4422495703074083)

;;> fl-4thrt-2
;;> The fourth root of 2.
(define fl-4thrt-2 1.189207115002721)

;;> fl-phi
;;> The golden ratio.
(define fl-phi 1.618033988749895)

;;> fl-log-phi
;;> The logarithm of the golden ratio.
(define fl-log-phi 0.48121182505960347)

;;> fl-1/log-phi
;;> 1/log of the golden ratio.
(define fl-1/log-phi 2.0780869212350277)

;;> fl-euler
;;> Euler's constant.
(define fl-euler 0.5772156649015329)

;;> fl-e-euler
;;> E to the power of Euler's constant.
(define fl-e-euler 1.781072417990198)

;;> fl-sin-1
;;> The sine of 1.
(define fl-sin-1 0.8414709848078965)

;;> fl-cos-1
;;> The cosine of 1.
(define fl-cos-1 0.5403023058681398)

;;> fl-gamma-1/2
;;> Gamma of 1/2.
(define fl-gamma-1/2 1.772453850905516)

;;> fl-gamma-1/3
;;> Gamma of 1/3.
(define fl-gamma-1/3 2.6789385347077475)

;;> fl-gamma-2/3
;;> Gamma of 2/3.
(define fl-gamma-2/3 1.3541179394264005)

;;> fl-greatest
;;> The greatest finite flonum.
(define fl-greatest 1.7976931348623157e308)

;;> fl-least
;;> The least flonum above zero.
(define fl-least 5e-324)

;;> fl-epsilon
;;> The distance of 1.0 to the next flonum.
(define fl-epsilon 2.220446049250313e-16)

;;> fl-fast-fl+*
;;> Is fl+* as fast as fl* and fl+?
(define fl-fast-fl+* #f)

;;> fl-integer-exponent-zero
;;> What flinteger-exponent answers for 0.0.
(define fl-integer-exponent-zero -2147483648)

;;> fl-integer-exponent-nan
;;> What flinteger-exponent answers for a NaN.
(define fl-integer-exponent-nan 2147483647)

;; -- constructors, accessors ------------------------------------------------

(define (check who x)
  (if (not (flonum? x))
      (error (string-append (symbol->string who) ": not a flonum") x)))

;;> (flonum x)
;;> Return the flonum nearest to the real number X. (flonum 1/2) => 0.5
(define (flonum x)
  (if (real? x) (inexact x) (error "flonum: not a real number" x)))

;;> (fladjacent x y)
;;> Return the flonum next to X on the way to Y. (fladjacent 0.0 1.0) => 5e-324
(define (fladjacent x y) (if (= x y) x (%nextafter x y)))

;;> (flcopysign x y)
;;> Return X with the sign of Y. (flcopysign 1.0 -0.0) => -1.0
(define (flcopysign x y)
  (if (= (flsign-bit x) (flsign-bit y)) x (- x)))

;;> (make-flonum x n)
;;> Return X times 2 to the power N. (make-flonum 3.0 4) => 48.0
(define (make-flonum x n)
  (if (or (nan? x) (infinite? x) (= x 0.0))
      x
      (let ((product (* (exact x) (expt 2 (max -4400 (min 4400 n))))))
        (flcopysign (abs (inexact product)) x))))

;;> (flinteger-fraction x)
;;> Return the integral part of X and the rest, both with X's sign.
;;> (call-with-values (lambda () (flinteger-fraction -2.5)) list) => (-2.0 -0.5)
(define (flinteger-fraction x)
  (cond ((nan? x) (values x x))
        ((infinite? x) (values x (flcopysign 0.0 x)))
        (else
         (let ((whole (truncate x)))
           (values whole (flcopysign (- x whole) x))))))

;;> (flexponent x)
;;> Return the exponent of X to base 2 as a flonum. (flexponent 8.0) => 3.0
(define (flexponent x)
  (cond ((nan? x) x)
        ((infinite? x) +inf.0)
        ((= x 0.0) -inf.0)
        (else (inexact (binary-exponent x)))))

;; The N with 2^N <= |x| < 2^(N+1).
(define (binary-exponent x)
  (let ((r (exact (abs x))))
    (- (integer-length (numerator r)) (integer-length (denominator r)))))

;;> (flinteger-exponent x)
;;> Return the exponent of X to base 2 as an integer.
;;> (flinteger-exponent 8.0) => 3
(define (flinteger-exponent x)
  (cond ((nan? x) fl-integer-exponent-nan)
        ((infinite? x) fl-integer-exponent-nan)
        ((= x 0.0) fl-integer-exponent-zero)
        (else (binary-exponent x))))

;;> (flnormalized-fraction-exponent x)
;;> Return a flonum from 0.5 up to 1 with X's sign and the exponent that goes with
;;> it. (call-with-values (lambda () (flnormalized-fraction-exponent 8.0)) list) =>
;;> (0.5 4)
(define (flnormalized-fraction-exponent x)
  (if (or (nan? x) (infinite? x) (= x 0.0))
      (values x 0)
      (let ((n (+ 1 (binary-exponent x))))
        (values (make-flonum x (- n)) n))))

;;> (flsign-bit x)
;;> Return 1 for negative flonums, -0.0 among them, else 0. (flsign-bit -0.0) => 1
(define (flsign-bit x) (arithmetic-shift (flonum->double-bits x) -63))

;; -- predicates -------------------------------------------------------------

;;> (flonum? obj)
;;> Is OBJ an inexact real number? (flonum? 1) => #f
(define (flonum? obj) (and (real? obj) (inexact? obj)))

;; A comparison of any number of flonums, all checked.
(define (comparison who compare)
  (case-lambda
    ((a b) (check who a) (check who b) (compare a b))
    (all
     (for-each (lambda (x) (check who x)) all)
     (or (null? all) (null? (cdr all)) (apply compare all)))))

;;> (fl=? x ...)
;;> Are all flonums the same number?
(define fl=? (comparison 'fl=? =))

;;> (fl<? x ...)
;;> Do they increase?
(define fl<? (comparison 'fl<? <))

;;> (fl>? x ...)
;;> Do they decrease?
(define fl>? (comparison 'fl>? >))

;;> (fl<=? x ...)
;;> Does none of them exceed the next?
(define fl<=? (comparison 'fl<=? <=))

;;> (fl>=? x ...)
;;> Is none of them below the next?
(define fl>=? (comparison 'fl>=? >=))

;;> (flunordered? x y)
;;> Is X or Y a NaN?
(define (flunordered? x y) (or (flnan? x) (flnan? y)))

;;> (flinteger? x)
;;> Is X an integer?
(define (flinteger? x) (check 'flinteger? x) (integer? x))

;;> (flzero? x)
;;> Is X zero?
(define (flzero? x) (check 'flzero? x) (= x 0.0))

;;> (flpositive? x)
;;> Is X above zero?
(define (flpositive? x) (check 'flpositive? x) (> x 0.0))

;;> (flnegative? x)
;;> Is X below zero?
(define (flnegative? x) (check 'flnegative? x) (< x 0.0))

;;> (flodd? x)
;;> Is the integer X odd?
(define (flodd? x) (check 'flodd? x) (odd? x))

;;> (fleven? x)
;;> Is the integer X even?
(define (fleven? x) (check 'fleven? x) (even? x))

;;> (flfinite? x)
;;> Is X neither infinite nor a NaN?
(define (flfinite? x) (check 'flfinite? x) (finite? x))

;;> (flinfinite? x)
;;> Is X infinite?
(define (flinfinite? x) (check 'flinfinite? x) (infinite? x))

;;> (flnan? x)
;;> Is X a NaN?
(define (flnan? x) (check 'flnan? x) (nan? x))

(define least-normal 2.2250738585072014e-308)

;;> (flnormalized? x)
;;> Is X a finite number of full precision?
(define (flnormalized? x)
  (check 'flnormalized? x)
  (and (finite? x) (>= (abs x) least-normal)))

;;> (fldenormalized? x)
;;> Is X a number near zero of less precision?
(define (fldenormalized? x)
  (check 'fldenormalized? x)
  (and (< 0.0 (abs x)) (< (abs x) least-normal)))

;; -- arithmetic -------------------------------------------------------------

;;> (flmax x ...)
;;> Return the greatest, -inf.0 where there is none.
(define (flmax . all) (if (null? all) -inf.0 (apply max all)))

;;> (flmin x ...)
;;> Return the least, +inf.0 where there is none.
(define (flmin . all) (if (null? all) +inf.0 (apply min all)))

;;> (fl+ x ...)
;;> Return the sum.
(define fl+
  (case-lambda
    (() 0.0)
    ((x y) (check 'fl+ x) (check 'fl+ y) (+ x y))
    (all (for-each (lambda (x) (check 'fl+ x)) all) (apply + all))))

;;> (fl* x ...)
;;> Return the product.
(define fl*
  (case-lambda
    (() 1.0)
    ((x y) (check 'fl* x) (check 'fl* y) (* x y))
    (all (for-each (lambda (x) (check 'fl* x)) all) (apply * all))))

;;> (fl+* x y z)
;;> Return X times Y plus Z, rounded once. (fl+* 2.0 3.0 4.0) => 10.0
(define (fl+* x y z) (%fma x y z))

;;> (fl- x y ...)
;;> Return the difference; of one argument, the negative.
(define fl-
  (case-lambda
    ((x) (check 'fl- x) (- x))
    ((x y) (check 'fl- x) (check 'fl- y) (- x y))
    (all (for-each (lambda (x) (check 'fl- x)) all) (apply - all))))

;;> (fl/ x y ...)
;;> Return the quotient; of one argument, the reciprocal.
(define fl/
  (case-lambda
    ((x) (check 'fl/ x) (/ 1.0 x))
    ((x y) (check 'fl/ x) (check 'fl/ y) (/ x y))
    (all (for-each (lambda (x) (check 'fl/ x)) all) (apply / all))))

;;> (flabs x)
;;> Return the absolute value.
(define (flabs x) (check 'flabs x) (abs x))

;;> (flabsdiff x y)
;;> Return the distance of X and Y. (flabsdiff 1.0 3.0) => 2.0
(define (flabsdiff x y) (abs (- x y)))

;;> (flposdiff x y)
;;> Return how much X exceeds Y, or 0.0. (flposdiff 1.0 3.0) => 0.0
(define (flposdiff x y) (if (> x y) (- x y) (if (flunordered? x y) +nan.0 0.0)))

;;> (flsgn x)
;;> Return 1.0 with the sign of X. (flsgn -0.0) => -1.0
(define (flsgn x) (if (nan? x) x (flcopysign 1.0 x)))

;;> (flnumerator x)
;;> Return the numerator of X; of an infinity or NaN itself.
(define (flnumerator x) (if (and (finite? x) (not (= x 0.0))) (numerator x) x))

;;> (fldenominator x)
;;> Return the denominator of X; of an infinity 1.0, of a NaN itself.
(define (fldenominator x)
  (cond ((finite? x) (denominator x)) ((nan? x) x) (else 1.0)))

;;> (flfloor x)
;;> Return the greatest integer not above X.
(define (flfloor x) (check 'flfloor x) (floor x))

;;> (flceiling x)
;;> Return the least integer not below X.
(define (flceiling x) (check 'flceiling x) (ceiling x))

;;> (flround x)
;;> Return the nearest integer, the even one of two.
(define (flround x) (check 'flround x) (round x))

;;> (fltruncate x)
;;> Return the integral part of X.
(define (fltruncate x) (check 'fltruncate x) (truncate x))

;; -- functions --------------------------------------------------------------

;; The value where it is real; else a NaN.
(define (real-or-nan z) (if (real? z) (inexact z) +nan.0))

;;> (flexp x)
;;> Return e to the power X.
(define (flexp x) (check 'flexp x) (exp x))

;;> (flexp2 x)
;;> Return 2 to the power X.
(define (flexp2 x) (%exp2 x))

;;> (flexp-1 x)
;;> Return e to the power X less 1, precise near 0.
(define (flexp-1 x) (%expm1 x))

;;> (flsquare x)
;;> Return the square.
(define (flsquare x) (fl* x x))

;;> (flsqrt x)
;;> Return the root; a NaN for negative numbers.
(define (flsqrt x) (check 'flsqrt x) (real-or-nan (sqrt x)))

;;> (flcbrt x)
;;> Return the cube root.
(define (flcbrt x) (%cbrt x))

;;> (flhypot x y)
;;> Return the root of the sum of the squares. (flhypot 3.0 4.0) => 5.0
(define (flhypot x y) (%hypot x y))

;;> (flexpt x y)
;;> Return X to the power Y; a NaN where that is not real.
(define (flexpt x y)
  (check 'flexpt x)
  (check 'flexpt y)
  (real-or-nan (expt x y)))

;;> (fllog x)
;;> Return the natural logarithm; a NaN for negative numbers.
(define (fllog x)
  (check 'fllog x)
  (cond ((= x 0.0) -inf.0) ((< x 0.0) +nan.0) (else (log x))))

;;> (fllog1+ x)
;;> Return the natural logarithm of 1 + X, precise near 0.
(define (fllog1+ x) (%log1p x))

;;> (fllog2 x)
;;> Return the logarithm to base 2.
(define (fllog2 x) (%log2 x))

;;> (fllog10 x)
;;> Return the logarithm to base 10.
(define (fllog10 x) (%log10 x))

;;> (make-fllog-base base)
;;> Return a procedure that computes logarithms to BASE.
;;> ((make-fllog-base 2.0) 8.0) => 3.0
(define (make-fllog-base base)
  (cond ((= base 2.0) fllog2)
        ((= base 10.0) fllog10)
        (else (let ((divisor (fllog base))) (lambda (x) (/ (fllog x) divisor))))))

;;> (flsin x)
;;> Return the sine.
(define (flsin x) (check 'flsin x) (sin x))

;;> (flcos x)
;;> Return the cosine.
(define (flcos x) (check 'flcos x) (cos x))

;;> (fltan x)
;;> Return the tangent.
(define (fltan x) (check 'fltan x) (tan x))

;;> (flasin x)
;;> Return the arc sine.
(define (flasin x) (check 'flasin x) (real-or-nan (asin x)))

;;> (flacos x)
;;> Return the arc cosine.
(define (flacos x) (check 'flacos x) (real-or-nan (acos x)))

;;> (flatan x) or (flatan y x)
;;> Return the arc tangent, or the angle of the point X, Y.
(define flatan
  (case-lambda
    ((x) (check 'flatan x) (atan x))
    ((y x) (check 'flatan y) (check 'flatan x) (atan y x))))

;;> (flsinh x)
;;> Return the hyperbolic sine.
(define (flsinh x) (%sinh x))

;;> (flcosh x)
;;> Return the hyperbolic cosine.
(define (flcosh x) (%cosh x))

;;> (fltanh x)
;;> Return the hyperbolic tangent.
(define (fltanh x) (%tanh x))

;;> (flasinh x)
;;> Return the inverse hyperbolic sine.
(define (flasinh x) (%asinh x))

;;> (flacosh x)
;;> Return the inverse hyperbolic cosine.
(define (flacosh x) (%acosh x))

;;> (flatanh x)
;;> Return the inverse hyperbolic tangent.
(define (flatanh x) (%atanh x))

;;> (flquotient x y)
;;> Return X divided by Y, truncated. (flquotient 7.0 2.0) => 3.0
(define (flquotient x y) (truncate (/ x y)))

;;> (flremainder x y)
;;> Return what is left of X after as many whole Y as fit, exactly.
;;> (flremainder -7.0 2.0) => -1.0
(define (flremainder x y)
  (cond ((or (nan? x) (nan? y) (infinite? x) (= y 0.0)) +nan.0)
        ((infinite? y) x)
        (else
         (let* ((a (exact x)) (b (exact y))
                (left (- a (* b (truncate (/ a b))))))
           (flcopysign (abs (inexact left)) x)))))

;;> (flremquo x y)
;;> Return the remainder of X by Y for the nearest quotient, and that quotient's
;;> last bits with its sign.
;;> (call-with-values (lambda () (flremquo 5.0 3.0)) list) => (-1.0 2)
(define (flremquo x y)
  (cond ((or (nan? x) (nan? y) (infinite? x) (= y 0.0)) (values +nan.0 0))
        ((infinite? y) (values x 0))
        (else
         (let* ((a (exact x)) (b (exact y))
                (n (round (/ a b)))
                (left (inexact (- a (* b n)))))
           (values (if (= left 0.0) (flcopysign 0.0 x) left)
                   (truncate-remainder n 1073741824))))))

;;> (flgamma x)
;;> Return the gamma function. (flgamma 5.0) => 24.0
(define (flgamma x) (%tgamma x))

;;> (flloggamma x)
;;> Return the logarithm of gamma's absolute value, and its sign, 1.0 or -1.0.
(define (flloggamma x)
  (values (%lgamma x)
          (cond ((nan? x) x)
                ((= x 0.0) (flcopysign 1.0 x))
                ((or (> x 0.0) (even? (floor x))) 1.0)
                (else -1.0))))

;;> (flfirst-bessel n x)
;;> Return the Bessel function of the first kind of order N.
(define (flfirst-bessel n x)
  (if (< n 0)
      (if (even? n) (%jn (- n) x) (- (%jn (- n) x)))
      (%jn n x)))

;;> (flsecond-bessel n x)
;;> Return the Bessel function of the second kind of order N.
(define (flsecond-bessel n x)
  (if (< n 0)
      (if (even? n) (%yn (- n) x) (- (%yn (- n) x)))
      (%yn n x)))

;;> (flerf x)
;;> Return the error function.
(define (flerf x) (%erf x))

;;> (flerfc x)
;;> Return 1 less the error function, precise far from 0.
(define (flerfc x) (%erfc x))
