;;; SRFI 154, the body.

(define-record-type dynamic-extent
  (make-dynamic-extent handlers parameters)
  dynamic-extent?
  (handlers extent-handlers)
  (parameters extent-parameters))

;;> (current-dynamic-extent)
;;> Return the dynamic extent of now.
;;> (dynamic-extent? (current-dynamic-extent)) => #t
(define (current-dynamic-extent)
  (let ((state (%dynamic-state)))
    (make-dynamic-extent (%dynamic-state-ref state 1)
                         (%dynamic-state-ref state 2))))

;; Call THUNK with handlers and parameters replaced.
(define (call-with handlers parameters thunk)
  (let ((outer (%dynamic-state)))
    (%set-dynamic-state!
     (%make-dynamic-state (%dynamic-state-ref outer 0) handlers parameters
                          (%dynamic-state-ref outer 3)))
    (call-with-values thunk
      (lambda results
        (%set-dynamic-state! outer)
        (apply values results)))))

;;> (with-dynamic-extent extent thunk)
;;> Call THUNK with the parameters and handlers of EXTENT.
;;> (let* ((p (make-parameter 1)) (e (current-dynamic-extent)))
;;>   (parameterize ((p 2)) (with-dynamic-extent e p))) => 1
(define (with-dynamic-extent extent thunk)
  (call-with (extent-handlers extent) (extent-parameters extent) thunk))

;;> (closed-lambda formals body ...)
;;> A procedure whose body runs in the dynamic extent it was made in.
;;> (let* ((p (make-parameter 1)) (f (closed-lambda () (p))))
;;>   (parameterize ((p 2)) (f))) => 1
(define-syntax closed-lambda
  (syntax-rules ()
    ((_ formals body ...)
     (let ((extent (current-dynamic-extent)))
       (close-procedure extent (lambda formals body ...))))))

(define (close-procedure extent procedure)
  (lambda arguments
    (with-dynamic-extent extent (lambda () (apply procedure arguments)))))
