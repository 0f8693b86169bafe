;;; (cap report), the body.

(define (bytes? object) (or (bytevector? object) (string? object)))

;;> (report-emit name content-type bytes)
;;> Have the harness keep BYTES, a bytevector or a string, and return their id.
(define (report-emit name content-type bytes)
  (check-argument 'report-emit 0 string? "string" name)
  (check-argument 'report-emit 1 string? "string" content-type)
  (check-argument 'report-emit 2 bytes? "bytevector or string" bytes)
  (cap-field "report.emit"
             (cap-call "report.emit" "name" name "content_type" content-type
                       "bytes" (if (string? bytes)
                                   (string->utf8 bytes)
                                   bytes))
             "id" string?))
