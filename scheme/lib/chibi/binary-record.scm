;;; (chibi binary-record), the body.

;;> (define-binary-record-type name clause ...)
;;> Define a record type. The clauses are (make: constructor), (pred: predicate),
;;> (read: reader), (write: writer) and (block: part ...). A part is a string, a
;;> character, a byte or a bytevector that must stand there, or (field (type) getter
;;> [setter]). The constructor takes the fields in their order, the reader a port, the
;;> writer a record and a port. Types: (u8) (s8), (u16/le) (u16/be), the same of s16, u32,
;;> s32, u64 and s64, (fixed-string n), (padded-string n [char]), (octal n), (decimal n),
;;> (hexadecimal n).
(define-syntax define-binary-record-type
  (syntax-rules ()
    ((_ name clause ...)
     (binary-record name (make: make) (pred: pred) (read: read) (write: write)
                    () () clause ...))))

;; Put the names in their places; then take the parts one by one. FIELDS has what
;; define-record-type wants, STEPS how to read and write.
(define-syntax binary-record
  (syntax-rules (make: pred: read: write: block:)
    ((_ name m p r w fields steps (make: . new) . clauses)
     (binary-record name (make: . new) p r w fields steps . clauses))
    ((_ name m p r w fields steps (pred: . new) . clauses)
     (binary-record name m (pred: . new) r w fields steps . clauses))
    ((_ name m p r w fields steps (read: . new) . clauses)
     (binary-record name m p (read: . new) w fields steps . clauses))
    ((_ name m p r w fields steps (write: . new) . clauses)
     (binary-record name m p r (write: . new) fields steps . clauses))
    ((_ name m p r w fields steps (block:) . clauses)
     (binary-record name m p r w fields steps . clauses))
    ((_ name m p r w (f ...) (s ...)
        (block: (field type getter . setter) . parts) . clauses)
     (binary-record name m p r w
                    (f ... (field getter . setter))
                    (s ... (field type getter))
                    (block: . parts) . clauses))
    ((_ name m p r w fields (s ...) (block: datum . parts) . clauses)
     (binary-record name m p r w fields (s ... (datum))
                    (block: . parts) . clauses))
    ((_ name (_ make) (_ pred) (_ read) (_ write) ((field . accessors) ...) steps)
     (begin
       (define-record-type name
         (make field ...)
         pred
         (field . accessors) ...)
       (define (read in) (read-parts in (make field ...) . steps))
       (define (write record out) (write-parts record out . steps))))
    ((_ name m p r w fields steps clause . clauses)
     (syntax-error "define-binary-record-type: unknown clause" clause))))

(define-syntax read-parts
  (syntax-rules ()
    ((_ in result) result)
    ((_ in result (field type getter) . steps)
     (let ((field ((binary-reader type) in)))
       (read-parts in result . steps)))
    ((_ in result (datum) . steps)
     (begin
       (read-literal datum in)
       (read-parts in result . steps)))))

(define-syntax write-parts
  (syntax-rules ()
    ((_ record out) (if #f #f))
    ((_ record out (field type getter) . steps)
     (begin
       ((binary-writer type) (getter record) out)
       (write-parts record out . steps)))
    ((_ record out (datum) . steps)
     (begin
       (write-bytevector (literal-bytes datum) out)
       (write-parts record out . steps)))))

(define-syntax binary-type
  (syntax-rules (u8 s8 u16/le u16/be u32/le u32/be u64/le u64/be s16/le s16/be
                 s32/le s32/be s64/le s64/be fixed-string padded-string octal
                 decimal hexadecimal)
    ((_ k (u8)) (k integer 1 #f #f))
    ((_ k (s8)) (k integer 1 #f #t))
    ((_ k (u16/le)) (k integer 2 #f #f))
    ((_ k (u16/be)) (k integer 2 #t #f))
    ((_ k (u32/le)) (k integer 4 #f #f))
    ((_ k (u32/be)) (k integer 4 #t #f))
    ((_ k (u64/le)) (k integer 8 #f #f))
    ((_ k (u64/be)) (k integer 8 #t #f))
    ((_ k (s16/le)) (k integer 2 #f #t))
    ((_ k (s16/be)) (k integer 2 #t #t))
    ((_ k (s32/le)) (k integer 4 #f #t))
    ((_ k (s32/be)) (k integer 4 #t #t))
    ((_ k (s64/le)) (k integer 8 #f #t))
    ((_ k (s64/be)) (k integer 8 #t #t))
    ((_ k (fixed-string n)) (k text n #f))
    ((_ k (padded-string n)) (k text n #\null))
    ((_ k (padded-string n char)) (k text n char))
    ((_ k (octal n)) (k digits n 8))
    ((_ k (decimal n)) (k digits n 10))
    ((_ k (hexadecimal n)) (k digits n 16))
    ((_ k other)
     (syntax-error "define-binary-record-type: unknown type" other))))

(define-syntax binary-reader
  (syntax-rules () ((_ type) (binary-type reader-of type))))
(define-syntax reader-of
  (syntax-rules (integer text digits)
    ((_ integer size big? signed?)
     (lambda (in) (read-integer in size big? signed?)))
    ((_ text n pad) (lambda (in) (read-text in n pad)))
    ((_ digits n radix) (lambda (in) (read-digits in n radix)))))
(define-syntax binary-writer
  (syntax-rules () ((_ type) (binary-type writer-of type))))
(define-syntax writer-of
  (syntax-rules (integer text digits)
    ((_ integer size big? signed?)
     (lambda (x out) (write-integer x out size big? signed?)))
    ((_ text n pad) (lambda (x out) (write-text x out n pad)))
    ((_ digits n radix) (lambda (x out) (write-digits x out n radix)))))

;; -- what is done at run time ------------------------------------------------------

(define (literal-bytes datum)
  (cond ((string? datum) (string->utf8 datum))
        ((char? datum) (string->utf8 (string datum)))
        ((bytevector? datum) datum)
        (else (bytevector datum))))

(define (read-exactly in n)
  (let ((bytes (if (= n 0) (bytevector) (read-bytevector n in))))
    (if (or (eof-object? bytes) (< (bytevector-length bytes) n))
        (error "binary record: the input ends too early" n))
    bytes))

(define (read-literal datum in)
  (let* ((expected (literal-bytes datum))
         (found (read-exactly in (bytevector-length expected))))
    (if (not (equal? expected found))
        (error "binary record: the input does not match" expected found))))

(define (read-integer in size big? signed?)
  (let ((bytes (read-exactly in size)))
    (let loop ((i 0) (n 0))
      (if (< i size)
          (loop (+ i 1)
                (+ (* 256 n)
                   (bytevector-u8-ref bytes (if big? i (- size i 1)))))
          (if (and signed? (>= n (expt 2 (- (* 8 size) 1))))
              (- n (expt 256 size))
              n)))))

(define (write-integer n out size big? signed?)
  (let ((low (if signed? (- (expt 2 (- (* 8 size) 1))) 0))
        (bytes (make-bytevector size)))
    (if (not (and (exact-integer? n) (<= low n) (< n (+ low (expt 256 size)))))
        (error "binary record: the integer does not fit" n size))
    (let loop ((i 0) (n n))
      (when (< i size)
        (bytevector-u8-set! bytes (if big? (- size i 1) i) (bitwise-and n 255))
        (loop (+ i 1) (arithmetic-shift n -8))))
    (write-bytevector bytes out)))

(define (trimmed text pad)
  (let loop ((end (string-length text)))
    (if (and (> end 0) (char=? pad (string-ref text (- end 1))))
        (loop (- end 1))
        (substring text 0 end))))

(define (read-text in n pad)
  (let ((text (utf8->string (read-exactly in n))))
    (if pad (trimmed text pad) text)))

(define (write-text text out n pad)
  (let* ((bytes (string->utf8 text)) (length (bytevector-length bytes)))
    (if (if pad (> length n) (not (= length n)))
        (error "binary record: the string does not fit" text n))
    (write-bytevector bytes out)
    (if pad
        (write-bytevector (make-bytevector (- n length) (char->integer pad))
                          out))))

(define (read-digits in n radix)
  (let* ((text (trimmed (trimmed (read-text in n #f) #\null) #\space))
         (number (string->number text radix)))
    (if (not (exact-integer? number))
        (error "binary record: not a number" text))
    number))

(define (write-digits x out n radix)
  (let* ((text (number->string x radix)) (missing (- n 1 (string-length text))))
    (if (< missing 0) (error "binary record: the number does not fit" x n))
    (write-bytevector (string->utf8 (make-string missing #\0)) out)
    (write-bytevector (string->utf8 text) out)
    (write-u8 0 out)))
