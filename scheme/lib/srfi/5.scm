;;; SRFI 5, the body. The bindings are walked to (name ...) and (value ...), and
;;; at their dotted end to the rest binding (name value ...).

;;> (let [name] (binding ... [. (rest value ...)]) body ...)
;;> (let (name binding ... [. (rest value ...)]) body ...)
;;> R7RS's let; a rest binding takes the list of the remaining values.
;;> (let loop ((a 1) . (more 2 3)) (list a more)) => (1 (2 3))
(define-syntax let-5
  (syntax-rules ()
    ((_ () . body) (let () . body))
    ((_ ((name value) . bindings) . body)
     (unnamed ((name value) . bindings) () () . body))
    ((_ (name . bindings) . body)
     (named name bindings () () . body))
    ((_ name bindings . body)
     (named name bindings () () . body))))

(define-syntax unnamed
  (syntax-rules ()
    ((_ () (name ...) (value ...) . body)
     ((lambda (name ...) . body) value ...))
    ((_ ((name value) . bindings) (names ...) (values ...) . body)
     (unnamed bindings (names ... name) (values ... value) . body))
    ((_ (rest . more) (name ...) (value ...) . body)
     ((lambda (name ... . rest) . body) value ... . more))))

(define-syntax named
  (syntax-rules ()
    ((_ f () (name ...) (value ...) . body)
     ((letrec ((f (lambda (name ...) . body))) f) value ...))
    ((_ f ((name value) . bindings) (names ...) (values ...) . body)
     (named f bindings (names ... name) (values ... value) . body))
    ((_ f (rest . more) (name ...) (value ...) . body)
     ((letrec ((f (lambda (name ... . rest) . body))) f) value ... . more))))
