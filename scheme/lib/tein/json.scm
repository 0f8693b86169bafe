;;; (tein json), the body.

;;> (json-parse string)
;;> Return the value of a JSON text: objects as alists with string keys in the
;;> order of the text, arrays as lists, null as the symbol null.
;;> (json-parse "{\"a\": [1, null]}") => (("a" 1 null))
(define (json-parse string . rest)
  (if (not (string? string))
      (error "json-parse: expected string argument" string))
  (%json-parse string))

;;> (json-stringify value)
;;> Return the JSON text of VALUE, without spaces. A list of pairs whose cars
;;> are all strings or symbols is an object, any other list or vector an array.
;;> (json-stringify '(("a" . (1 2)) (b . null))) => "{\"a\":[1,2],\"b\":null}"
(define (json-stringify value . rest)
  (let ((out (open-output-string)))
    (%json-stringify value out)
    (get-output-string out)))

;;> (json-object key value ...)
;;> Return an object, also an empty one, for json-stringify.
;;> (json-stringify (json-object)) => "{}"
(define (json-object . rest)
  (let ((table (make-hash-table equal?)))
    (let loop ((rest rest))
      (cond ((null? rest) table)
            ((null? (cdr rest))
             (error "json-object: a key without a value" (car rest)))
            (else
             (hash-table-set! table (key-text (car rest)) (cadr rest))
             (loop (cddr rest)))))))

(define (key-text key)
  (cond ((string? key) key)
        ((symbol? key) (symbol->string key))
        (else (error "json-object: a key must be a string or symbol" key))))
