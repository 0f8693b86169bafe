;;; Parameters. A parameter object holds its first value (converted) and its
;;; converter; the bindings of `parameterize` stand in the dynamic state as an
;;; alist, so that they follow continuations.

(define make-parameter
  (case-lambda
    ((value) (%make-parameter value #f))
    ((value converter)
     (%check-procedure 'make-parameter 1 converter)
     (%make-parameter (converter value) converter))))

(define (%convert parameter value)
  (if (not (parameter? parameter))
      (%raise-type 'parameterize 0 "parameter" parameter))
  (let ((converter (%parameter-converter parameter)))
    (if converter (converter value) value)))

;; ALIST of (parameter . value), converted and put before BINDINGS.
(define (%bind alist bindings)
  (if (pair? alist)
      (let ((value (%convert (caar alist) (cdar alist))))
        (%bind (cdr alist) (cons (cons (caar alist) value) bindings)))
      bindings))

;; (parameterize ((p v) ...) body ...) is (%parameterize (list (cons p v) ...)
;; (lambda () body ...)). Every converter has run, once each, before any binding
;; is made.
(define (%parameterize alist thunk)
  (let* ((state (%dynamic-state))
         (bindings (%bind alist (%dynamic-state-ref state 2))))
    (%call-in (%with-parameters state bindings) thunk)))
