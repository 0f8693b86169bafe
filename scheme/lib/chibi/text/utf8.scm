;;; (chibi text utf8), the body.

;;> (string->utf8! string [start [end]]), (utf8->string! bytevector [start [end]])
;;> As string->utf8 and utf8->string; the argument may be made use of.
;;> (utf8->string! #u8(97 98) 1) => "b"
(define (string->utf8! string . range) (apply string->utf8 string range))
(define (utf8->string! bytevector . range) (apply utf8->string bytevector range))

(define (continuation? byte) (<= #x80 byte #xBF))

(define (size-of byte)
  (cond ((< byte #x80) 1)
        ((< byte #xE0) 2)
        ((< byte #xF0) 3)
        (else 4)))

;;> (utf8-next bytevector offset end)
;;> Return the offset behind the character at OFFSET, or #f where that is not below END.
;;> (utf8-next #u8(195 164 97) 0 3) => 2
(define (utf8-next bytevector offset end)
  (and (< offset end)
       (min end (+ offset (size-of (bytevector-u8-ref bytevector offset))))))

;;> (utf8-prev bytevector offset start)
;;> Return the offset of the character before OFFSET, or #f where there is none from START
;;> on. (utf8-prev #u8(195 164 97) 2 0) => 0
(define (utf8-prev bytevector offset start)
  (let loop ((i (- offset 1)))
    (cond ((< i start) #f)
          ((continuation? (bytevector-u8-ref bytevector i)) (loop (- i 1)))
          (else i))))

;;> (utf8-ref bytevector offset)
;;> Return the character at OFFSET. (utf8-ref #u8(97 195 164) 1) => #\ä
(define (utf8-ref bytevector offset)
  (string-ref (utf8->string bytevector offset
                            (utf8-next bytevector offset
                                       (bytevector-length bytevector)))
              0))
