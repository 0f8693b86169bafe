;;; (scheme bytevector), the body.

;;> (endianness big), (endianness little)
;;> The symbol big or little. (endianness big) => big
(define-syntax endianness
  (syntax-rules (big little)
    ((_ big) 'big)
    ((_ little) 'little)
    ((_ other) (syntax-error "endianness: big or little" other))))

;;> (native-endianness)
;;> Return the order in which numbers are native here. (native-endianness) => little
(define (native-endianness) 'little)

(define (fail who text . objects)
  (apply error (string-append (symbol->string who) ": " text) objects))

(define (check-order who order)
  (if (not (memq order '(big little)))
      (fail who "not big or little" order)))

(define (check-aligned who k size)
  (if (not (and (exact-integer? k) (= 0 (modulo k size))))
      (fail who "not a multiple of the size" k)))

(define (check-span who bv k size)
  (if (not (bytevector? bv)) (fail who "not a bytevector" bv))
  (if (not (and (exact-integer? size) (> size 0)))
      (fail who "not a positive size" size))
  (if (not (and (exact-integer? k) (<= 0 k)
                (<= (+ k size) (bytevector-length bv))))
      (fail who "out of range" k size (bytevector-length bv))))

(define (check-value who n low high)
  (if (not (and (exact-integer? n) (<= low n) (< n high)))
      (fail who "the value does not fit" n)))

;;> (bytevector? object), (make-bytevector k [fill]), (bytevector-length bytevector),
;;> (bytevector-u8-ref bytevector k), (bytevector-u8-set! bytevector k n)
;;> As in (scheme base). (bytevector-length (make-bytevector 3 0)) => 3

;;> (bytevector=? a b)
;;> Do the bytevectors have the same bytes? (bytevector=? #u8(1) #u8(1)) => #t
(define (bytevector=? a b)
  (if (not (bytevector? a)) (fail 'bytevector=? "not a bytevector" a))
  (if (not (bytevector? b)) (fail 'bytevector=? "not a bytevector" b))
  (equal? a b))

;;> (bytevector-fill! bytevector fill)
;;> Make each byte FILL, from -128 to 255.
;;> (let ((b (make-bytevector 2))) (bytevector-fill! b 7) b) => #u8(7 7)
(define (bytevector-fill! bv fill)
  (check-value 'bytevector-fill! fill -128 256)
  (let ((byte (modulo fill 256)))
    (do ((i 0 (+ i 1))) ((= i (bytevector-length bv)))
      (bytevector-u8-set! bv i byte))))

;;> (bytevector-copy! source source-start target target-start count)
;;> Copy COUNT bytes.
;;> (let ((b (bytevector 0 0))) (bytevector-copy! #u8(1 2) 1 b 0 1) b) => #u8(2 0)
(define (bytevector-copy! source source-start target target-start count)
  (r7rs-copy! target target-start source source-start (+ source-start count)))

;;> (bytevector-copy bytevector [start [end]])
;;> Return a copy. (bytevector-copy #u8(1 2 3) 1) => #u8(2 3)

;;> (bytevector-s8-ref bytevector k), (bytevector-s8-set! bytevector k n)
;;> The byte at K as a number from -128 to 127. (bytevector-s8-ref #u8(255) 0) => -1
(define (bytevector-s8-ref bv k)
  (let ((byte (bytevector-u8-ref bv k)))
    (if (< byte 128) byte (- byte 256))))
(define (bytevector-s8-set! bv k n)
  (check-value 'bytevector-s8-set! n -128 128)
  (bytevector-u8-set! bv k (modulo n 256)))

;;> (bytevector->u8-list bytevector), (u8-list->bytevector list)
;;> Convert between bytes and a list of them. (bytevector->u8-list #u8(1 2)) => (1 2)
(define (bytevector->u8-list bv)
  (let loop ((i (- (bytevector-length bv) 1)) (list '()))
    (if (< i 0)
        list
        (loop (- i 1) (cons (bytevector-u8-ref bv i) list)))))
(define (u8-list->bytevector list) (apply bytevector list))

;; -- integers ---------------------------------------------------------------------

;;> (bytevector-uint-ref bytevector k endianness size),
;;> (bytevector-sint-ref bytevector k endianness size)
;;> Return the integer, unsigned or signed, that SIZE bytes from K on make.
;;> (bytevector-uint-ref #u8(1 2) 0 (endianness big) 2) => 258
(define (bytevector-uint-ref bv k order size)
  (check-order 'bytevector-uint-ref order)
  (check-span 'bytevector-uint-ref bv k size)
  (let loop ((i 0) (n 0))
    (if (= i size)
        n
        (loop (+ i 1)
              (+ (* 256 n)
                 (bytevector-u8-ref bv (if (eq? order 'big)
                                           (+ k i)
                                           (- (+ k size) i 1))))))))
(define (bytevector-sint-ref bv k order size)
  (let ((n (bytevector-uint-ref bv k order size)))
    (if (< n (expt 2 (- (* 8 size) 1))) n (- n (expt 2 (* 8 size))))))

(define (store! bv k n order size)
  (let loop ((i 0) (n n))
    (when (< i size)
      (bytevector-u8-set! bv
                          (if (eq? order 'big) (- (+ k size) i 1) (+ k i))
                          (bitwise-and n 255))
      (loop (+ i 1) (arithmetic-shift n -8)))))

;;> (bytevector-uint-set! bytevector k n endianness size),
;;> (bytevector-sint-set! bytevector k n endianness size)
;;> Store N in SIZE bytes from K on.
;;> (let ((b (make-bytevector 2))) (bytevector-sint-set! b 0 -2 'big 2) b) => #u8(255 254)
(define (bytevector-uint-set! bv k n order size)
  (check-order 'bytevector-uint-set! order)
  (check-span 'bytevector-uint-set! bv k size)
  (check-value 'bytevector-uint-set! n 0 (expt 2 (* 8 size)))
  (store! bv k n order size))
(define (bytevector-sint-set! bv k n order size)
  (check-order 'bytevector-sint-set! order)
  (check-span 'bytevector-sint-set! bv k size)
  (let ((limit (expt 2 (- (* 8 size) 1))))
    (check-value 'bytevector-sint-set! n (- limit) limit))
  (store! bv k n order size))

(define (integers who ref bv order size)
  (if (not (and (exact-integer? size) (> size 0)
                (= 0 (modulo (bytevector-length bv) size))))
      (fail who "the size does not divide the length" size
            (bytevector-length bv)))
  (let loop ((k (- (bytevector-length bv) size)) (list '()))
    (if (< k 0)
        list
        (loop (- k size) (cons (ref bv k order size) list)))))

(define (filled set list order size)
  (let ((bv (make-bytevector (* size (length list)))))
    (let loop ((k 0) (list list))
      (if (null? list)
          bv
          (begin
            (set bv k (car list) order size)
            (loop (+ k size) (cdr list)))))))

;;> (bytevector->uint-list bytevector endianness size),
;;> (bytevector->sint-list bytevector endianness size)
;;> Return the list of the integers of SIZE bytes.
;;> (bytevector->uint-list #u8(0 1 0 2) 'big 2) => (1 2)
(define (bytevector->uint-list bv order size)
  (integers 'bytevector->uint-list bytevector-uint-ref bv order size))
(define (bytevector->sint-list bv order size)
  (integers 'bytevector->sint-list bytevector-sint-ref bv order size))

;;> (uint-list->bytevector list endianness size),
;;> (sint-list->bytevector list endianness size)
;;> Return a bytevector of the integers, each in SIZE bytes.
;;> (uint-list->bytevector '(1 2) 'little 2) => #u8(1 0 2 0)
(define (uint-list->bytevector list order size)
  (filled bytevector-uint-set! list order size))
(define (sint-list->bytevector list order size)
  (filled bytevector-sint-set! list order size))

;;> (bytevector-u16-ref bytevector k endianness),
;;> (bytevector-u16-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The unsigned integer of 16 bits at K. The native ones stand at multiples of 2.
(define (bytevector-u16-ref bv k endianness)
  (bytevector-uint-ref bv k endianness 2))
(define (bytevector-u16-set! bv k n endianness)
  (bytevector-uint-set! bv k n endianness 2))
(define (bytevector-u16-native-ref bv k)
  (check-aligned 'bytevector-u16-native-ref k 2)
  (bytevector-uint-ref bv k 'little 2))
(define (bytevector-u16-native-set! bv k n)
  (check-aligned 'bytevector-u16-native-set! k 2)
  (bytevector-uint-set! bv k n 'little 2))

;;> (bytevector-s16-ref bytevector k endianness),
;;> (bytevector-s16-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The signed integer of 16 bits at K. The native ones stand at multiples of 2.
(define (bytevector-s16-ref bv k endianness)
  (bytevector-sint-ref bv k endianness 2))
(define (bytevector-s16-set! bv k n endianness)
  (bytevector-sint-set! bv k n endianness 2))
(define (bytevector-s16-native-ref bv k)
  (check-aligned 'bytevector-s16-native-ref k 2)
  (bytevector-sint-ref bv k 'little 2))
(define (bytevector-s16-native-set! bv k n)
  (check-aligned 'bytevector-s16-native-set! k 2)
  (bytevector-sint-set! bv k n 'little 2))

;;> (bytevector-u32-ref bytevector k endianness),
;;> (bytevector-u32-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The unsigned integer of 32 bits at K. The native ones stand at multiples of 4.
(define (bytevector-u32-ref bv k endianness)
  (bytevector-uint-ref bv k endianness 4))
(define (bytevector-u32-set! bv k n endianness)
  (bytevector-uint-set! bv k n endianness 4))
(define (bytevector-u32-native-ref bv k)
  (check-aligned 'bytevector-u32-native-ref k 4)
  (bytevector-uint-ref bv k 'little 4))
(define (bytevector-u32-native-set! bv k n)
  (check-aligned 'bytevector-u32-native-set! k 4)
  (bytevector-uint-set! bv k n 'little 4))

;;> (bytevector-s32-ref bytevector k endianness),
;;> (bytevector-s32-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The signed integer of 32 bits at K. The native ones stand at multiples of 4.
(define (bytevector-s32-ref bv k endianness)
  (bytevector-sint-ref bv k endianness 4))
(define (bytevector-s32-set! bv k n endianness)
  (bytevector-sint-set! bv k n endianness 4))
(define (bytevector-s32-native-ref bv k)
  (check-aligned 'bytevector-s32-native-ref k 4)
  (bytevector-sint-ref bv k 'little 4))
(define (bytevector-s32-native-set! bv k n)
  (check-aligned 'bytevector-s32-native-set! k 4)
  (bytevector-sint-set! bv k n 'little 4))

;;> (bytevector-u64-ref bytevector k endianness),
;;> (bytevector-u64-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The unsigned integer of 64 bits at K. The native ones stand at multiples of 8.
(define (bytevector-u64-ref bv k endianness)
  (bytevector-uint-ref bv k endianness 8))
(define (bytevector-u64-set! bv k n endianness)
  (bytevector-uint-set! bv k n endianness 8))
(define (bytevector-u64-native-ref bv k)
  (check-aligned 'bytevector-u64-native-ref k 8)
  (bytevector-uint-ref bv k 'little 8))
(define (bytevector-u64-native-set! bv k n)
  (check-aligned 'bytevector-u64-native-set! k 8)
  (bytevector-uint-set! bv k n 'little 8))

;;> (bytevector-s64-ref bytevector k endianness),
;;> (bytevector-s64-set! bytevector k n endianness), and -native-ref, -native-set!
;;> The signed integer of 64 bits at K. The native ones stand at multiples of 8.
(define (bytevector-s64-ref bv k endianness)
  (bytevector-sint-ref bv k endianness 8))
(define (bytevector-s64-set! bv k n endianness)
  (bytevector-sint-set! bv k n endianness 8))
(define (bytevector-s64-native-ref bv k)
  (check-aligned 'bytevector-s64-native-ref k 8)
  (bytevector-sint-ref bv k 'little 8))
(define (bytevector-s64-native-set! bv k n)
  (check-aligned 'bytevector-s64-native-set! k 8)
  (bytevector-sint-set! bv k n 'little 8))

;; -- flonums ------------------------------------------------------------------------

;;> (bytevector-ieee-single-ref bytevector k endianness),
;;> (bytevector-ieee-single-set! bytevector k x endianness), the same of double, and
;;> -native-ref, -native-set!
;;> The number of 32 or 64 bits at K.
;;> (bytevector-ieee-single-ref #u8(63 128 0 0) 0 'big) => 1.0
(define (bytevector-ieee-single-ref bv k order)
  (single-bits->flonum (bytevector-uint-ref bv k order 4)))
(define (bytevector-ieee-single-set! bv k x order)
  (bytevector-uint-set! bv k (flonum->single-bits (inexact x)) order 4))
(define (bytevector-ieee-single-native-ref bv k)
  (check-aligned 'bytevector-ieee-single-native-ref k 4)
  (bytevector-ieee-single-ref bv k 'little))
(define (bytevector-ieee-single-native-set! bv k x)
  (check-aligned 'bytevector-ieee-single-native-set! k 4)
  (bytevector-ieee-single-set! bv k x 'little))
(define (bytevector-ieee-double-ref bv k order)
  (double-bits->flonum (bytevector-uint-ref bv k order 8)))
(define (bytevector-ieee-double-set! bv k x order)
  (bytevector-uint-set! bv k (flonum->double-bits (inexact x)) order 8))
(define (bytevector-ieee-double-native-ref bv k)
  (check-aligned 'bytevector-ieee-double-native-ref k 8)
  (bytevector-ieee-double-ref bv k 'little))
(define (bytevector-ieee-double-native-set! bv k x)
  (check-aligned 'bytevector-ieee-double-native-set! k 8)
  (bytevector-ieee-double-set! bv k x 'little))

;; -- text ----------------------------------------------------------------------------

;;> (string->utf8 string), (utf8->string bytevector)
;;> As in (scheme base). (utf8->string (string->utf8 "a")) => "a"

(define (units string)
  (let loop ((chars (reverse (string->list string))) (units '()))
    (if (null? chars)
        units
        (let ((code (char->integer (car chars))))
          (loop (cdr chars)
                (if (< code #x10000)
                    (cons code units)
                    (let ((high (- code #x10000)))
                      (cons (+ #xD800 (quotient high 1024))
                            (cons (+ #xDC00 (remainder high 1024))
                                  units)))))))))

(define (order-of rest) (if (pair? rest) (car rest) 'big))

;;> (string->utf16 string [endianness]), (string->utf32 string [endianness])
;;> Return the encoded text, at first big, without byte order mark.
;;> (string->utf16 "a") => #u8(0 97)
(define (string->utf16 string . rest)
  (uint-list->bytevector (units string) (order-of rest) 2))
(define (string->utf32 string . rest)
  (uint-list->bytevector (map char->integer (string->list string))
                         (order-of rest) 4))

(define (code->char who code)
  (if (or (<= #xD800 code #xDFFF) (> code #x10FFFF))
      (fail who "no character has this code" code))
  (integer->char code))

(define (units->chars units)
  (let loop ((units units) (chars '()))
    (cond ((null? units) (reverse chars))
          ((and (<= #xD800 (car units) #xDBFF) (pair? (cdr units))
                (<= #xDC00 (cadr units) #xDFFF))
           (loop (cddr units)
                 (cons (integer->char (+ #x10000
                                         (* 1024 (- (car units) #xD800))
                                         (- (cadr units) #xDC00)))
                       chars)))
          (else
           (loop (cdr units)
                 (cons (code->char 'utf16->string (car units)) chars))))))

;; The integers of a text; a byte order mark counts unless the order is mandatory.
(define (decoded who bv size rest)
  (let* ((order (order-of rest))
         (free? (not (and (pair? rest) (pair? (cdr rest)) (cadr rest))))
         (integers (bytevector->uint-list bv order size))
         (turned (if (= size 2) #xFFFE #xFFFE0000)))
    (cond ((or (null? integers) (not free?)) integers)
          ((= (car integers) #xFEFF) (cdr integers))
          ((= (car integers) turned)
           (cdr (bytevector->uint-list bv (if (eq? order 'big) 'little 'big)
                                       size)))
          (else integers))))

;;> (utf16->string bytevector [endianness [mandatory?]]),
;;> (utf32->string bytevector [endianness [mandatory?]])
;;> Return the text. A byte order mark at the beginning decides and is dropped, unless
;;> MANDATORY?. (utf16->string #u8(0 97)) => "a"
(define (utf16->string bv . rest)
  (list->string (units->chars (decoded 'utf16->string bv 2 rest))))
(define (utf32->string bv . rest)
  (list->string (map (lambda (code) (code->char 'utf32->string code))
                     (decoded 'utf32->string bv 4 rest))))
