;;; (cap kv), the body.

(define (value? object) (or (bytevector? object) (string? object)))

;;> (kv-get key)
;;> Return the bytevector under KEY, #f for nothing.
(define (kv-get key)
  (check-argument 'kv-get 0 string? "string" key)
  (let ((answer (cap-call "kv.get" "key" key)))
    (and (cap-field "kv.get" answer "found" boolean?)
         (cap-field "kv.get" answer "value" bytevector?))))

;;> (kv-set! key value)
;;> Keep VALUE, a bytevector or a string, under KEY.
(define (kv-set! key value)
  (check-argument 'kv-set! 0 string? "string" key)
  (check-argument 'kv-set! 1 value? "bytevector or string" value)
  (cap-call "kv.set" "key" key "value"
            (if (string? value) (string->utf8 value) value))
  (if #f #f))

;;> (kv-delete! key)
;;> Keep nothing under KEY.
(define (kv-delete! key)
  (check-argument 'kv-delete! 0 string? "string" key)
  (cap-call "kv.delete" "key" key)
  (if #f #f))
