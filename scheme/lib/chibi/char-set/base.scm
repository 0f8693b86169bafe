;;; (chibi char-set base), the body.

;;> (immutable-char-set expression)
;;> Return the value of EXPRESSION, a character set; all are immutable here.
(define-syntax immutable-char-set
  (syntax-rules ()
    ((_ expression) expression)))
