;;; (tein test), the body.

(define (text-of name)
  (cond ((string? name) name)
        ((symbol? name) (symbol->string name))
        (else (error "a test's name is a string" name))))

(define (fail name what . irritants)
  (apply error (string-append "FAIL " (text-of name) ": expected " what)
         irritants))

;;> (test-equal name expected actual)
;;> Pass if the two are equal?.
(define (test-equal name expected actual)
  (if (equal? expected actual)
      (values)
      (fail name "" expected " got " actual)))

;;> (test-true name obj)
;;> Pass if OBJ is not #f.
(define (test-true name object)
  (if object (values) (fail name "a true value, got " object)))

;;> (test-false name obj)
;;> Pass if OBJ is #f.
(define (test-false name object)
  (if object (fail name "#f, got " object) (values)))

;;> (test-error name thunk)
;;> Pass if (THUNK) raises anything.
(define (test-error name thunk)
  (if (guard (e (#t #t)) (thunk) #f)
      (values)
      (fail name "an error")))
