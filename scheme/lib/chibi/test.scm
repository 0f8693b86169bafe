;;; (chibi test), the body.

;;> (test-syntax-error)
;;> What a malformed test expands to.
(define-syntax test-syntax-error
  (syntax-rules ()
    ((_) (syntax-error "invalid use of a test form"))))
