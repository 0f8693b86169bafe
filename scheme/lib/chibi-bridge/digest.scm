;;; Digests, the body.

;;> (digest-source source)
;;> Return the bytes of SOURCE: a bytevector, a string (as UTF-8) or an input port.
;;> (digest-source "a") => #u8(97)
(define (digest-source source)
  (cond ((bytevector? source) source)
        ((string? source) (string->utf8 source))
        ((and (input-port? source) (binary-port? source))
         (port->bytevector source))
        ((input-port? source) (string->utf8 (port->string source)))
        (else (error "digest: neither string, bytevector nor port" source))))

;;> (word32 n)
;;> Return the lowest 32 bits of N. (word32 (expt 2 32)) => 0
(define (word32 n) (bitwise-and n #xFFFFFFFF))

;;> (rotate-left32 n k)
;;> Return the 32 bits N rotated K places to the left. (rotate-left32 1 1) => 2
(define (rotate-left32 n k)
  (bitwise-ior (word32 (arithmetic-shift n k))
               (arithmetic-shift n (- k 32))))

;;> (rotate-right32 n k)
;;> Return the 32 bits N rotated K places to the right. (rotate-right32 2 1) => 1
(define (rotate-right32 n k) (rotate-left32 n (- 32 k)))

;; The last one or two blocks: what is left behind START, a bit, zeros, and the
;; length in bits, which SET-LENGTH! stores.
(define (last-blocks bytes start set-length!)
  (let* ((n (bytevector-length bytes))
         (left (- n start))
         (out (make-bytevector (if (< left 56) 64 128) 0)))
    (bytevector-copy! out 0 bytes start n)
    (bytevector-u8-set! out left #x80)
    (set-length! out (- (bytevector-length out) 8) (* 8 n))
    out))

;;> (digest-fold step state bytes set-length!)
;;> Fold (step state bytevector start) over the blocks of 64 bytes of BYTES,
;;> padded; (set-length! bytevector start bits) stores the length.
(define (digest-fold step state bytes set-length!)
  (let* ((n (bytevector-length bytes))
         (whole (* 64 (quotient n 64)))
         (tail (last-blocks bytes whole set-length!)))
    (let loop ((start 0) (state state))
      (if (< start whole)
          (loop (+ start 64) (step state bytes start))
          (let rest ((start 0) (state state))
            (if (< start (bytevector-length tail))
                (rest (+ start 64) (step state tail start))
                state))))))
