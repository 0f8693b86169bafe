;;; SRFI 151, the body. The primitives are the engine's.

;;> (bitwise-eqv i ...)
;;> Return the bits that an even number of the integers lack.
;;> (bitwise-eqv 37 12) => -42
(define (bitwise-eqv . all)
  (let loop ((rest all) (out -1))
    (if (pair? rest)
        (loop (cdr rest) (bitwise-not (bitwise-xor out (car rest))))
        out)))

;;> (bitwise-nand i j)
;;> Return the complement of bitwise-and. (bitwise-nand 11 26) => -11
(define (bitwise-nand i j) (bitwise-not (bitwise-and i j)))

;;> (bitwise-nor i j)
;;> Return the complement of bitwise-ior. (bitwise-nor 11 26) => -28
(define (bitwise-nor i j) (bitwise-not (bitwise-ior i j)))

;;> (bitwise-andc1 i j)
;;> Return the bits of J that I lacks. (bitwise-andc1 11 26) => 16
(define (bitwise-andc1 i j) (bitwise-and (bitwise-not i) j))

;;> (bitwise-andc2 i j)
;;> Return the bits of I that J lacks. (bitwise-andc2 11 26) => 1
(define (bitwise-andc2 i j) (bitwise-and i (bitwise-not j)))

;;> (bitwise-orc1 i j)
;;> Return the bits that I lacks or J has. (bitwise-orc1 11 26) => -2
(define (bitwise-orc1 i j) (bitwise-ior (bitwise-not i) j))

;;> (bitwise-orc2 i j)
;;> Return the bits that I has or J lacks. (bitwise-orc2 11 26) => -17
(define (bitwise-orc2 i j) (bitwise-ior i (bitwise-not j)))

;;> (bitwise-if mask i j)
;;> Return the bits of I where MASK has them, else those of J.
;;> (bitwise-if 3 1 8) => 9
(define (bitwise-if mask i j)
  (bitwise-ior (bitwise-and mask i) (bitwise-andc1 mask j)))

;; The integer with the lowest N bits set.
(define (mask n) (- (arithmetic-shift 1 n) 1))

;; The bits from START up to END set.
(define (field-mask start end)
  (arithmetic-shift (mask (- end start)) start))

;; -- single bits ------------------------------------------------------------

;;> (copy-bit index i on?)
;;> Return I with bit INDEX set if ON?, else not. (copy-bit 0 0 #t) => 1
(define (copy-bit index i on?)
  (if on?
      (bitwise-ior i (arithmetic-shift 1 index))
      (bitwise-andc2 i (arithmetic-shift 1 index))))

;;> (bit-swap index1 index2 i)
;;> Return I with two bits exchanged. (bit-swap 0 2 4) => 1
(define (bit-swap index1 index2 i)
  (let ((first (bit-set? index1 i))
        (second (bit-set? index2 i)))
    (copy-bit index1 (copy-bit index2 i first) second)))

;;> (any-bit-set? test-bits i)
;;> Has I any of the bits? (any-bit-set? 3 6) => #t
(define (any-bit-set? test-bits i) (not (= 0 (bitwise-and test-bits i))))

;;> (every-bit-set? test-bits i)
;;> Has I all of the bits? (every-bit-set? 4 6) => #t
(define (every-bit-set? test-bits i) (= test-bits (bitwise-and test-bits i)))

;;> (first-set-bit i)
;;> Return the index of the lowest bit that is set, -1 if none is.
;;> (first-set-bit 40) => 3
(define (first-set-bit i)
  (- (integer-length (bitwise-and i (- i))) 1))

;; -- fields -----------------------------------------------------------------

;;> (bit-field i start end)
;;> Return the bits from START up to END. (bit-field 858 4 6) => 1
(define (bit-field i start end)
  (bitwise-and (arithmetic-shift i (- start)) (mask (- end start))))

;;> (bit-field-any? i start end)
;;> Is any bit of the field set? (bit-field-any? 76 4 6) => #f
(define (bit-field-any? i start end) (not (= 0 (bit-field i start end))))

;;> (bit-field-every? i start end)
;;> Are all bits of the field set? (bit-field-every? 60 2 6) => #t
(define (bit-field-every? i start end)
  (= (bit-field i start end) (mask (- end start))))

;;> (bit-field-clear i start end)
;;> Return I without the bits of the field. (bit-field-clear 42 1 4) => 32
(define (bit-field-clear i start end)
  (bitwise-andc2 i (field-mask start end)))

;;> (bit-field-set i start end)
;;> Return I with all bits of the field set. (bit-field-set 42 1 4) => 46
(define (bit-field-set i start end) (bitwise-ior i (field-mask start end)))

;;> (bit-field-replace dest source start end)
;;> Return DEST with the lowest bits of SOURCE as its field.
;;> (bit-field-replace 42 1 1 4) => 34
(define (bit-field-replace dest source start end)
  (bit-field-replace-same dest (arithmetic-shift source start) start end))

;;> (bit-field-replace-same dest source start end)
;;> Return DEST with the same field of SOURCE. (bit-field-replace-same 15 0 1 3) =>
;;> 9
(define (bit-field-replace-same dest source start end)
  (bitwise-if (field-mask start end) source dest))

;;> (bit-field-rotate i count start end)
;;> Return I with the field rotated COUNT bits to the left.
;;> (bit-field-rotate 6 1 0 3) => 5
(define (bit-field-rotate i count start end)
  (let ((width (- end start)))
    (if (= width 0)
        i
        (let ((count (modulo count width))
              (field (bit-field i start end)))
          (bit-field-replace
           i
           (bitwise-ior (arithmetic-shift field count)
                        (arithmetic-shift field (- count width)))
           start end)))))

;;> (bit-field-reverse i start end)
;;> Return I with the field in reverse. (bit-field-reverse 3 0 4) => 12
(define (bit-field-reverse i start end)
  (let loop ((k start) (field 0))
    (if (< k end)
        (loop (+ k 1) (+ (* 2 field) (if (bit-set? k i) 1 0)))
        (bit-field-replace i field start end))))

;; -- conversion -------------------------------------------------------------

(define (length-of i rest)
  (if (pair? rest) (car rest) (integer-length i)))

;;> (bits->list i [length])
;;> Return the bits as booleans, the lowest first. (bits->list 6) => (#f #t #t)
(define (bits->list i . rest)
  (let loop ((k (- (length-of i rest) 1)) (out '()))
    (if (< k 0) out (loop (- k 1) (cons (bit-set? k i) out)))))

;;> (bits->vector i [length])
;;> Return the bits as a vector of booleans. (bits->vector 2) => #(#f #t)
(define (bits->vector i . rest) (list->vector (apply bits->list i rest)))

;;> (list->bits list)
;;> Return the integer of booleans, the lowest bit first.
;;> (list->bits '(#f #t #t)) => 6
(define (list->bits list)
  (let loop ((rest (reverse list)) (out 0))
    (if (pair? rest)
        (loop (cdr rest) (+ (* 2 out) (if (car rest) 1 0)))
        out)))

;;> (vector->bits vector)
;;> Return the integer of booleans. (vector->bits #(#f #t)) => 2
(define (vector->bits vector) (list->bits (vector->list vector)))

;;> (bits bool ...)
;;> Return the integer of booleans. (bits #t #f #t) => 5
(define (bits . bools) (list->bits bools))

;; -- fold, unfold, generate -------------------------------------------------

;;> (bitwise-fold kons knil i)
;;> Fold (kons bit out) over the bits as booleans, the lowest first.
;;> (bitwise-fold cons '() 6) => (#t #t #f)
(define (bitwise-fold kons knil i)
  (let ((n (integer-length i)))
    (let loop ((k 0) (out knil))
      (if (< k n) (loop (+ k 1) (kons (bit-set? k i) out)) out))))

;;> (bitwise-for-each f i)
;;> Call F with each bit as a boolean, the lowest first.
(define (bitwise-for-each f i)
  (bitwise-fold (lambda (bit out) (f bit) out) #f i))

;;> (bitwise-unfold stop? mapper successor seed)
;;> Return the integer of the bits (mapper seed), until (stop? seed).
;;> (bitwise-unfold (lambda (i) (= i 3)) odd? (lambda (i) (+ i 1)) 0) => 2
(define (bitwise-unfold stop? mapper successor seed)
  (let loop ((seed seed) (out '()))
    (if (stop? seed)
        (list->bits (reverse out))
        (loop (successor seed) (cons (mapper seed) out)))))

;;> (make-bitwise-generator i)
;;> Return a procedure that gives I's bits as booleans, the lowest first, without
;;> an end. ((make-bitwise-generator 1)) => #t
(define (make-bitwise-generator i)
  (let ((k -1))
    (lambda ()
      (set! k (+ k 1))
      (bit-set? k i))))
