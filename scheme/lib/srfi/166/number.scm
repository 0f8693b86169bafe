;;; SRFI 166, numbers.

;; The digits of a natural number.
(define (digits n base)
  (if (memv base '(2 8 10 16))
      (number->string n base)
      (let loop ((n n) (out '()))
        (let ((out (cons (string-ref "0123456789abcdefghijklmnopqrstuvwxyz"
                                     (remainder n base))
                         out)))
          (if (< n base)
              (list->string out)
              (loop (quotient n base) out))))))

;; Values: the digits in front of and behind the point of a number above or at 0,
;; the latter #f for none.
(define (number-parts x base places)
  (cond (places
         (let* ((all (digits (round (* (exact x) (expt base places))) base))
                (padded (string-append
                         (make-string (max 0 (- (+ places 1)
                                                (string-length all)))
                                      #\0)
                         all))
                (point (- (string-length padded) places)))
           (values (substring padded 0 point)
                   (and (> places 0)
                        (substring padded point (string-length padded))))))
        ((exact-integer? x) (values (digits x base) #f))
        ((exact? x) (values (string-append (digits (numerator x) base) "/"
                                           (digits (denominator x) base))
                            #f))
        (else (flonum-parts (number->string x base)))))

;; Values: the parts of the text of a flonum; an exponent stays with the second.
(define (flonum-parts text)
  (let loop ((i 0))
    (cond ((= i (string-length text)) (values text #f))
          ((char=? (string-ref text i) #\.)
           (values (substring text 0 i)
                   (substring text (+ i 1) (string-length text))))
          (else (loop (+ i 1))))))

;; TEXT with SEPARATOR between groups of digits from the right, sized by RULE.
(define (grouped text rule separator)
  (let loop ((rest text)
             (rule (if (pair? rule) rule (list rule)))
             (out '()))
    (let ((n (string-length rest)) (size (car rule)))
      (if (or (<= n size) (<= size 0))
          (apply string-append rest out)
          (loop (substring rest 0 (- n size))
                (cond ((null? (cdr rule)) rule)
                      ((pair? (cdr rule)) (cdr rule))
                      (else (list (cdr rule))))
                (cons (string-append separator
                                     (substring rest (- n size) n))
                      out))))))

(define (negative-number? x)
  (or (< x 0) (eqv? x -0.0)))

(define (signed text negative? rule)
  (cond ((pair? rule)
         (if negative?
             (string-append (car rule) text (cdr rule))
             text))
        (negative? (string-append "-" text))
        ((eq? rule #t) (string-append "+" text))
        (else text)))

;; The text of a real number and the index of its point.
(define (real-text x base places sign comma comma-mark point)
  (if (or (nan? x) (infinite? x))
      (number->string x)
      (call-with-values (lambda () (number-parts (abs x) base places))
        (lambda (whole fraction)
          (signed (string-append
                   (if comma (grouped whole comma (string comma-mark)) whole)
                   (if fraction (string point) "")
                   (or fraction ""))
                  (negative-number? x)
                  sign)))))

(define (index-of char text)
  (let loop ((i 0))
    (cond ((= i (string-length text)) i)
          ((char=? char (string-ref text i)) i)
          (else (loop (+ i 1))))))

;;> (numeric number [radix [precision [sign [comma [comma-sep [decimal-sep]]]]]])
;;> The formatter of a number; what is left out is the value of the state variable.
;;> (show #f (numeric 3.14159 10 2)) => "3.14"
(define (numeric number . rest)
  (lambda (state)
    (let* ((base (optional rest 0 (get state radix)))
           (places (optional rest 1 (get state precision)))
           (sign (optional rest 2 (get state sign-rule)))
           (comma (optional rest 3 (get state comma-rule)))
           (point (or (optional rest 5 (get state decimal-sep))
                      (if (eqv? #\. (get state comma-sep)) #\, #\.)))
           (comma-mark (or (optional rest 4 (get state comma-sep))
                           (if (eqv? point #\,) #\. #\,))))
      (define (text x sign)
        (real-text x base places sign comma comma-mark point))
      (let ((all (if (real? number)
                     (text number sign)
                     (string-append (text (real-part number) sign)
                                    (text (imag-part number) #t)
                                    "i"))))
        (emit (pad-text state (- (or (get state decimal-align) 0)
                                 (index-of point all)
                                 (if (get state decimal-align) 1 0)))
              state)
        (emit all state)))))

;; A number as it is written: with the mark of its radix.
(define (prefixed-number number state)
  (let ((out (open-output-string)) (inner (copy-state state)))
    (put! inner port out)
    (put! inner output output-default)
    (put! inner comma-rule #f)
    (run (numeric number) inner)
    (string-append (case (get state radix)
                     ((2) "#b") ((8) "#o") ((16) "#x") (else ""))
                   (get-output-string out))))

;;> (numeric/comma number [comma-rule [radix [precision [sign]]]])
;;> The formatter of a number with its digits in groups, at first of three.
;;> (show #f (numeric/comma 1234567)) => "1,234,567"
(define (numeric/comma number . rest)
  (lambda (state)
    (run (bind-all
          (list (cons comma-rule
                      (optional rest 0 (or (get state comma-rule) 3))))
          (apply numeric number (if (pair? rest) (cdr rest) '())))
         state)))

;;> (numeric/fitted width number option ...)
;;> The formatter of a number, as numeric's, or of # where it is too wide.
(define (numeric/fitted n number . options)
  (call-with-output
   (apply numeric number options)
   (lambda (text)
     (lambda (state)
       (let ((places (optional options 1 (get state precision)))
             (point (or (get state decimal-sep) #\.)))
         (emit (cond ((<= (string-length text) n) text)
                     ((and places (> places 0) (> n places))
                      (string-append (make-string (- n places 1) #\#)
                                     (string point)
                                     (make-string places #\#)))
                     (else (make-string n #\#)))
               state))))))

(define large-1000 #("" "k" "M" "G" "T" "P" "E" "Z" "Y" "R" "Q"))
(define large-1024 #("" "Ki" "Mi" "Gi" "Ti" "Pi" "Ei" "Zi" "Yi"))
(define small #("" "m" "µ" "n" "p" "f" "a" "z" "y" "r" "q"))

;;> (numeric/si number [base [separator]])
;;> The formatter of a number with a prefix of units, for powers of BASE: 1000 or
;;> 1024. (show #f (numeric/si 3986)) => "4k"
(define (numeric/si number . rest)
  (let* ((base (optional rest 0 1000))
         (separator (optional rest 1 ""))
         (size (abs number))
         (names (cond ((< 0 size 1) small)
                      ((= base 1024) large-1024)
                      (else large-1000)))
         (step (if (< 0 size 1) (/ 1 base) base)))
    (let loop ((k 0) (value size))
      (if (and (< (+ k 1) (vector-length names))
               (if (< 0 size 1) (< value 1) (>= (rounded value) base)))
          (loop (+ k 1) (/ value step))
          (each (if (< number 0) "-" "")
                (tenths value)
                (if (= k 0) "" separator)
                (vector-ref names k))))))

(define (rounded value) (/ (round (* 10 (exact value))) 10))

;; A number with at most one digit behind the point.
(define (tenths value)
  (let ((value (rounded value)))
    (if (integer? value)
        (numeric value 10 #f)
        (numeric value 10 1))))
