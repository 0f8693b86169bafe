;;; SRFI 27, the body. A source's state is an exact integer in 1 .. 2^64 - 1, or
;;; #f for the host's.

(define-record-type <random-source>
  (%make-source state)
  random-source?
  (state source-state set-source-state!))

(define bits-64 18446744073709551616)

;;> default-random-source
;;> The source of random-integer and random-real.
(define default-random-source (%make-source #f))

;;> (make-random-source)
;;> Return a new source in the state that all new sources have.
(define (make-random-source) (%make-source 88172645463325252))

(define (check-bound bound)
  (if (not (and (exact-integer? bound) (> bound 0)))
      (error "random-integer: not a positive exact integer" bound)))

(define (xor-shifted n shifted)
  (bitwise-xor n (modulo shifted bits-64)))

;; The next 64 bits of a source of its own state.
(define (next-bits! source)
  (let* ((a (source-state source))
         (b (xor-shifted a (* a 8192)))
         (c (xor-shifted b (quotient b 128)))
         (d (xor-shifted c (* c 131072))))
    (set-source-state! source d)
    d))

;; A nonnegative integer of at least twice as many bits as BOUND.
(define (many-bits! source bound)
  (let loop ((bits 0) (range 1))
    (if (< range (* bound bound bits-64))
        (loop (+ (* bits bits-64) (next-bits! source)) (* range bits-64))
        bits)))

(define (next-integer! source bound)
  (check-bound bound)
  (if (source-state source)
      (modulo (many-bits! source bound) bound)
      (%host-call 'random-integer bound)))

(define (next-real! source)
  (if (source-state source)
      (inexact (/ (+ 1 (quotient (next-bits! source) 2048)) 9007199254740994))
      (%host-call 'random-real)))

;;> (random-integer n)
;;> Return a random integer from 0 to below N.
(define (random-integer n) (next-integer! default-random-source n))

;;> (random-real)
;;> Return a random real number between 0 and 1, both excluded.
(define (random-real) (next-real! default-random-source))

;;> (random-source-state-ref source), (random-source-state-set! source state)
;;> Return, or restore, the state of SOURCE.
(define (random-source-state-ref source) (list 'xorshift (source-state source)))
(define (random-source-state-set! source state)
  (set-source-state! source (cadr state)))

;;> (random-source-randomize! source)
;;> Put SOURCE into a state that the host's random bits give.
(define (random-source-randomize! source)
  (set-source-state! source
                     (+ 1 (%host-call 'random-integer (- bits-64 1)))))

;;> (random-source-pseudo-randomize! source i j)
;;> Put SOURCE into the state number I, J.
(define (random-source-pseudo-randomize! source i j)
  (set-source-state! source
                     (+ 1 (modulo (+ (* i 2862933555777941757)
                                     (* j 3037000493) 88172645463325252)
                                  (- bits-64 1))))
  (next-bits! source))

;;> (random-source-make-integers source)
;;> Return a procedure like random-integer over SOURCE.
(define (random-source-make-integers source)
  (lambda (n) (next-integer! source n)))

;; A multiple of UNIT between 0 and 1, both excluded.
(define (next-multiple! source unit)
  (let ((count (- (ceiling (/ 1 (exact unit))) 1)))
    (* unit (+ 1 (next-integer! source count)))))

;;> (random-source-make-reals source [unit])
;;> Return a procedure like random-real over SOURCE; with UNIT it answers
;;> multiples of that, exact ones where it is exact.
(define (random-source-make-reals source . rest)
  (cond ((null? rest) (lambda () (next-real! source)))
        ((and (real? (car rest)) (< 0 (car rest) 1))
         (lambda () (next-multiple! source (car rest))))
        (else
         (error "random-source-make-reals: no number between 0 and 1"
                (car rest)))))
