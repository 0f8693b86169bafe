;;; (chibi binary-record).
(import (scheme base) (chibi binary-record) (chibi-bridge test))

(define-binary-record-type gif-header
  (make: make-gif-header)
  (pred: gif-header?)
  (read: read-gif-header)
  (write: write-gif-header)
  (block: "GIF89a"
          (width (u16/le) gif-header-width)
          (height (u16/le) gif-header-height)
          (gct (u8) gif-header-gct)
          (bgcolor (u8) gif-header-bgcolor set-gif-header-bgcolor!)
          (aspect-ratio (u8) gif-header-aspect-ratio)))

(define-binary-record-type other
  (make: make-other) (read: read-other) (write: write-other)
  (block: #\a 1 #u8(2 3)
          (n (s16/be) other-n) (m (u32/be) other-m) (k (s64/le) other-k)
          (name (padded-string 4) other-name) (tag (fixed-string 2) other-tag)
          (pad (padded-string 3 #\space) other-pad)
          (size (octal 4) other-size) (d (decimal 3) other-d) (h (hexadecimal 3) other-h)))

(define (bytes write record)
  (let ((out (open-output-bytevector))) (write record out) (get-output-bytevector out)))
(define (from read bytes) (read (open-input-bytevector bytes)))

(test-begin "binary-record")

(define gif (make-gif-header 4096 2160 #xF7 1 2))
(define encoded #u8(#x47 #x49 #x46 #x38 #x39 #x61 0 #x10 #x70 #x08 #xF7 #x01 #x02))
(test encoded (bytes write-gif-header gif))
(let ((again (from read-gif-header encoded)))
  (test '(#t #f 4096 2160 #xF7 1 2)
        (list (gif-header? again) (gif-header? 1) (gif-header-width again) (gif-header-height again)
              (gif-header-gct again) (gif-header-bgcolor again) (gif-header-aspect-ratio again)))
  (set-gif-header-bgcolor! again 9)
  (test 9 (bytevector-u8-ref (bytes write-gif-header again) 11)))
(test-error (from read-gif-header #u8(1 2 3 4 5 6 7)))
(test-error (from read-gif-header (bytevector-copy encoded 0 12)))
(test-error (bytes write-gif-header (make-gif-header 65536 0 0 0 0)))

(define o (make-other -2 258 -3 "ab" "xy" "z" 8 42 255))
(define oe (bytes write-other o))
(test '(97 1 2 3 255 254 0 0 1 2 253 255 255 255 255 255 255 255 97 98 0 0 120 121 122 32 32 48 49 48 0 52 50 0 102 102 0)
      (let loop ((i (- (bytevector-length oe) 1)) (l '())) (if (< i 0) l (loop (- i 1) (cons (bytevector-u8-ref oe i) l)))))
(let ((p (from read-other oe)))
  (test '(-2 258 -3 "ab" "xy" "z" 8 42 255)
        (list (other-n p) (other-m p) (other-k p) (other-name p) (other-tag p) (other-pad p) (other-size p)
              (other-d p) (other-h p))))
(test-error (bytes write-other (make-other -2 258 -3 "abcde" "xy" "z" 8 42 255)))
(test-error (bytes write-other (make-other -2 258 -3 "ab" "x" "z" 8 42 255)))
(test-error (bytes write-other (make-other -2 258 -3 "ab" "xy" "z" 8 420 255)))

(test-end)
(test-exit)
