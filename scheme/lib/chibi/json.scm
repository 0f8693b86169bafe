;;; (chibi json), the body.

;; -- reading ----------------------------------------------------------------

(define (fail reason . irritants)
  (apply error (string-append "json-read: " reason) irritants))

;;> (json-read [port])
;;> Return the next JSON value of PORT, or an end-of-file object.
;;> (json-read (open-input-string "{\"a\": [1, null]}")) => ((a . #(1 null)))
(define (json-read . port)
  (%try %json-read (if (pair? port) (car port) (current-input-port))))

;;> (string->json string)
;;> Return the value of the JSON text STRING. (string->json "[1.5]") => #(1.5)
(define (string->json string) (%string->json string))

;;> (parse-json string)
;;> The same as string->json.
(define (parse-json string) (string->json string))

;; -- reading into records ---------------------------------------------------

;;> (make-json-reader shape [strict?])
;;> Return a procedure that reads a value from a port and checks or converts it:
;;> SHAPE is a predicate, a record type (an object becomes a record, missing fields
;;> are #f), (type (field . shape) ...), #(shape) for arrays, or a list of pairs for
;;> alists. With STRICT?, unknown keys of an object are an error.
;;> ((make-json-reader (vector string?)) (open-input-string "[\"a\"]")) => #("a")
(define (make-json-reader shape . strict?)
  (let ((strict? (and (pair? strict?) (car strict?))))
    (lambda port
      (let ((value (apply json-read port)))
        (if (eof-object? value) value (shaped value shape strict?))))))

(define (shaped value shape strict?)
  (cond ((not shape) value)
        ((procedure? shape)
         (if (shape value) value (fail "a value of another kind" value)))
        ((%record-type? shape) (shaped-record value shape '() strict?))
        ((and (pair? shape) (%record-type? (car shape)))
         (shaped-record value (car shape) (cdr shape) strict?))
        ((and (vector? shape) (= (vector-length shape) 1))
         (if (not (vector? value)) (fail "expected an array" value))
         (vector-map (lambda (item) (shaped item (vector-ref shape 0) strict?))
                     value))
        ((list? shape) (shaped-alist value shape strict?))
        (else (error "make-json-reader: not a shape" shape))))

(define (shape-of key shapes)
  (let ((pair (assq key shapes))) (and pair (cdr pair))))

(define (check-object value)
  (if (not (list? value)) (fail "expected an object" value)))

(define (shaped-alist value shapes strict?)
  (check-object value)
  (map (lambda (member)
         (if (and strict? (not (assq (car member) shapes)))
             (fail "unknown key" (car member)))
         (cons (car member)
               (shaped (cdr member) (shape-of (car member) shapes) strict?)))
       value))

(define (shaped-record value type shapes strict?)
  (check-object value)
  (let ((fields (vector->list (%record-type-fields type))))
    (if strict?
        (for-each (lambda (member)
                    (if (not (memq (car member) fields))
                        (fail "unknown key" (car member))))
                  value))
    (apply %record type
           (map (lambda (field)
                  (let ((member (assq field value)))
                    (and member
                         (shaped (cdr member) (shape-of field shapes)
                                 strict?))))
                fields))))

;; -- writing ----------------------------------------------------------------

;;> (json->string value)
;;> Return the JSON text of VALUE, in ASCII.
;;> (json->string '((a . #(1 #t)))) => "{\"a\":[1,true]}"
(define (json->string value)
  (let ((out (open-output-string)))
    (%json-write value out)
    (get-output-string out)))

;;> (unparse-json value)
;;> The same as json->string.
(define (unparse-json value) (json->string value))

;;> (json-write value [port])
;;> Write the JSON text of VALUE.
(define (json-write value . port)
  (%json-write value (if (pair? port) (car port) (current-output-port))))
