;;; (ext memory), the body.

(define (refusal-text cap condition)
  (let ((code (cap-error-code condition))
        (message (cap-error-message condition)))
    (if (equal? code "transport")
        (string-append cap " could not be reached: " message)
        (string-append cap " was denied (" code "): " message))))

;; What CAP answers; a denial becomes a refusal that is raised.
(define (ask cap . args)
  (guard (condition
          ((cap-error? condition)
           (raise (make-refusal (refusal-text cap condition)
                                (cap-error-code condition)))))
    (apply cap-call cap args)))

;;> (remember key value)
;;> Keep VALUE, JSON, under KEY; the last write wins. Raises a refusal where it
;;> was denied.
(define (remember key value)
  (check-argument 'remember 0 string? "string" key)
  (ask "ext.remember" "key" key "value" (stringify value))
  (if #f #f))

;;> (recall key [default])
;;> Return what is kept under KEY; DEFAULT, #f where not given, for nothing.
(define (recall key . default)
  (check-argument 'recall 0 string? "string" key)
  (let ((answer (ask "ext.recall" "key" key)))
    (cond ((cap-field "ext.recall" answer "found" boolean?)
           (json-parse (cap-field "ext.recall" answer "value" string?)))
          ((pair? default) (car default))
          (else #f))))
