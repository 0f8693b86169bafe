;;; (ext), the body.

;;> continue-run
;;> The agent's run goes on after the answer; the last argument of outcome.
(define continue-run #f)

;;> terminate-run
;;> The agent's run ends with the answer; the last argument of outcome.
(define terminate-run #t)

;;> (text-block string)
;;> Return a block of text for outcome.
;;> (block-type (text-block "hi")) => text
(define (text-block string)
  (check-argument 'text-block 0 string? "string" string)
  (make-block 'text string))

;;> (json-block value)
;;> Return a block that is JSON for outcome: VALUE as json-stringify takes it.
;;> (block-content (json-block '(("n" . 1)))) => (("n" . 1))
(define (json-block value) (make-block 'json value))

(define (blocks? object)
  (and (list? object)
       (let loop ((rest object))
         (or (null? rest) (and (block? (car rest)) (loop (cdr rest)))))))

;;> (outcome blocks terminate)
;;> Return an answer of several blocks, in their order; TERMINATE is continue-run
;;> or terminate-run.
;;> (length (outcome-blocks (outcome (list (text-block "a")) continue-run))) => 1
(define (outcome blocks terminate)
  (check-argument 'outcome 0 blocks? "list of blocks" blocks)
  (check-argument 'outcome 1 boolean? "continue-run or terminate-run"
                  terminate)
  (make-outcome blocks terminate))

;;> (text string)
;;> Return the answer that is one block of text; the run goes on.
;;> (outcome-terminate (text "hi")) => #f
(define (text string)
  (check-argument 'text 0 string? "string" string)
  (outcome (list (text-block string)) continue-run))

;;> (json value)
;;> Return the answer that is one block of JSON; the run goes on.
;;> (block-type (car (outcome-blocks (json '(("n" . 1)))))) => json
(define (json value) (outcome (list (json-block value)) continue-run))

;;> (refuse message)
;;> Return a refusal: the model reads MESSAGE, as it is, and may try again. A
;;> refusal may be raised as well.
;;> (refusal-message (refuse "no such city")) => "no such city"
(define (refuse message)
  (check-argument 'refuse 0 string? "string" message)
  (make-refusal message #f))

;; -- arguments ---------------------------------------------------------------------

(define (type-name value)
  (cond ((string? value) "String")
        ((boolean? value) "Bool")
        ((exact-integer? value) "Int")
        ((number? value) "Float")
        ((eq? value 'null) "Nil")
        ((null? value) "empty List or Object")
        ((and (pair? value) (pair? (car value)) (string? (caar value)))
         "Object")
        ((pair? value) "List")
        (else "something else")))

(define scalars
  `((string "String" ,string?)
    (integer "Int" ,exact-integer?)
    (number "Number" ,real?)
    (boolean "Bool" ,boolean?)
    (null "Nil" ,(lambda (value) (eq? value 'null)))
    (any "anything" ,(lambda (value) #t))))

(define (alist? value)
  (and (list? value)
       (let loop ((rest value))
         (or (null? rest)
             (and (pair? (car rest))
                  (string? (caar rest))
                  (loop (cdr rest)))))))

(define (join texts)
  (if (null? texts)
      ""
      (apply string-append
             (car texts)
             (map (lambda (text) (string-append ", " text)) (cdr texts)))))

;; PATH holds the way from the top, innermost first.
(define (path-text path)
  (if (null? path)
      "the top"
      (apply string-append
             (map (lambda (part) (string-append "." part)) (reverse path)))))

(define (problem expected found path)
  (string-append "expected " expected ", found " found " at "
                 (path-text path)))

(define (name-text name)
  (if (symbol? name) (symbol->string name) name))

(define (fields? spec)
  (and (pair? spec)
       (let loop ((rest spec))
         (or (null? rest)
             (and (pair? (car rest))
                  (or (symbol? (caar rest)) (string? (caar rest)))
                  (pair? (cdar rest))
                  (loop (cdr rest)))))))

(define (bad-spec spec)
  (error (string-append "decode-args: a type is string, integer, number, "
                        "boolean, null, any, (list TYPE) or a list of "
                        "(NAME TYPE [optional])")
         spec))

;; Calls (k value problems): PROBLEMS grows at its front.
(define (decode value type path problems k)
  (cond ((and (symbol? type) (assq type scalars))
         => (lambda (row)
              (if ((list-ref row 2) value)
                  (k value problems)
                  (k #f (cons (problem (cadr row) (type-name value) path)
                              problems)))))
        ((and (pair? type) (eq? (car type) 'list) (pair? (cdr type))
              (null? (cddr type)))
         (if (list? value)
             (decode-items value (cadr type) path problems k)
             (k #f (cons (problem "List" (type-name value) path)
                         problems))))
        ((fields? type)
         (if (alist? value)
             (decode-fields value type path problems k)
             (k #f (cons (problem "Object" (type-name value) path)
                         problems))))
        (else (bad-spec type))))

(define (decode-items items type path problems k)
  (let loop ((rest items) (i 0) (made '()) (problems problems))
    (if (null? rest)
        (k (reverse made) problems)
        (decode (car rest) type (cons (number->string i) path) problems
                (lambda (value problems)
                  (loop (cdr rest) (+ i 1) (cons value made) problems))))))

(define (optional? field)
  (and (pair? (cddr field)) (eq? (list-ref field 2) 'optional)))

(define (decode-field args field path problems k)
  (let* ((name (name-text (car field)))
         (found (assoc name args))
         (path (cons name path)))
    (cond ((and (optional? field)
                (or (not found) (eq? (cdr found) 'null)))
           (k #f problems))
          (found (decode (cdr found) (cadr field) path problems k))
          (else
           (k #f (cons (problem "a field" "nothing" path) problems))))))

(define (decode-fields args fields path problems k)
  (let loop ((rest fields) (made '()) (problems problems))
    (if (null? rest)
        (k (reverse made) problems)
        (decode-field args (car rest) path problems
                      (lambda (value problems)
                        (loop (cdr rest)
                              (cons (cons (caar rest) value) made)
                              problems))))))

;;> (decode-args args fields)
;;> Return an alist of the FIELDS of ARGS, under the names as FIELDS has them.
;;> FIELDS is a list of (NAME TYPE) or (NAME TYPE optional); TYPE is string,
;;> integer, number, boolean, null, any, (list TYPE), or again a list of fields.
;;> An optional field that is absent or null is #f. Raises a refusal that names
;;> every field that does not fit, so that the model can mend its call.
;;> (decode-args '(("city" . "Oslo")) '((city string) (days integer optional)))
;;> => ((city . "Oslo") (days . #f))
(define (decode-args args fields)
  (if (not (or (null? fields) (fields? fields))) (bad-spec fields))
  (decode args (if (null? fields) 'any fields) '() '()
          (lambda (value problems)
            (if (null? problems)
                (if (null? fields) '() value)
                (raise (make-refusal
                        (string-append "the arguments did not decode: "
                                       (join (reverse problems)))
                        #f))))))
