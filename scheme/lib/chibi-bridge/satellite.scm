;;; (chibi-bridge satellite), the body.

;; -- records ------------------------------------------------------------------

;;> (outcome? obj)
;;> Return #t if OBJ is what text, json and outcome make.

;;> (outcome-blocks outcome)
;;> Return the blocks of an answer, in their order.

;;> (outcome-terminate outcome)
;;> Return #t if the agent's run ends with the answer.
(define-record-type outcome
  (make-outcome blocks terminate)
  outcome?
  (blocks outcome-blocks)
  (terminate outcome-terminate))

;;> (block-type block)
;;> Return the symbol text or json.

;;> (block-content block)
;;> Return the string, or the JSON value, of a block.
;; TYPE is text or json, CONTENT a string or a JSON value.
(define-record-type block
  (make-block type content)
  block?
  (type block-type)
  (content block-content))

;; CODE is that of the capability that refused, a string; the symbol
;; bad-arguments for a document that is no JSON; else #f.
;;> (refusal? obj)
;;> Return #t if OBJ is what refuse makes.

;;> (refusal-message refusal)
;;> Return the words of a refusal.
(define-record-type refusal
  (make-refusal message code)
  refusal?
  (message refusal-message)
  (code refusal-code))

;;> (make-ctx strand deadline-ms report)
;;> Return what a tool gets beside its arguments, for tests: REPORT is a procedure
;;> that takes a string.

;;> (ctx-strand ctx)
;;> Return the name of the conversation's strand, a string, maybe empty.

;;> (ctx-deadline-ms ctx)
;;> Return the milliseconds that the call may take, as they were when it began.
(define-record-type ctx
  (make-ctx strand deadline-ms report)
  ctx?
  (strand ctx-strand)
  (deadline-ms ctx-deadline-ms)
  (report ctx-reporter))

(define-record-type hook
  (make-hook event procedure)
  hook?
  (event hook-event)
  (procedure hook-procedure))

;; REASON is #f for allow.
(define-record-type verdict
  (make-verdict reason)
  verdict?
  (reason verdict-reason))

;;> (ctx-report ctx [text])
;;> Return the procedure that sends a partial report, a string; with TEXT, send it.
;;> Nobody waits for a report, and one that cannot be sent is dropped.
(define ctx-report
  (case-lambda
    ((ctx) (ctx-reporter ctx))
    ((ctx text) ((ctx-reporter ctx) text))))

(define (check-argument who index good? what object)
  (if (not (good? object)) (%raise-type who index what object)))

;; -- JSON that keeps its form ----------------------------------------------------
;;
;; Authors see {} and [] alike as (), and an array of arrays may look like an
;; object. What was parsed here is remembered by the identity of its pairs, for as
;; long as an invocation goes on, so that what an author hands back untouched is
;; written as it was read.

;; Pairs to what is known of them: car or cdr (that place holds {}), array.
(define forms (make-parameter #f))

(define (with-form thunk)
  (parameterize ((forms (make-hash-table eq?)))
    (thunk)))

(define (note! pair form)
  (let ((table (forms)))
    (hash-table-set! table pair
                     (cons form (hash-table-ref/default table pair '())))))

(define (noted? pair form)
  (let ((table (forms)))
    (and table (memq form (hash-table-ref/default table pair '())) #t)))

(define (looks-like-object? list)
  (let loop ((rest list))
    (or (null? rest)
        (and (pair? (car rest)) (string? (caar rest)) (loop (cdr rest))))))

(define (note-array! list vector)
  (if (looks-like-object? list)
      (let loop ((rest list))
        (if (pair? rest)
            (begin (note! rest 'array) (loop (cdr rest))))))
  (let loop ((rest list) (i 0))
    (if (and (pair? rest) (< i (vector-length vector)))
        (begin
          (note-form! (car rest) (vector-ref vector i) rest 'car)
          (loop (cdr rest) (+ i 1))))))

(define (note-object! alist faithful)
  (let loop ((rest alist) (faithful faithful))
    (if (and (pair? rest) (pair? faithful))
        (begin
          (note-form! (cdar rest) (cdar faithful) (car rest) 'cdr)
          (loop (cdr rest) (cdr faithful))))))

;; VALUE, which PLACE of PAIR holds, was parsed as FAITHFUL by the reading that
;; gives arrays as vectors.
(define (note-form! value faithful pair place)
  (cond ((vector? faithful)
         (if (pair? value) (note-array! value faithful)))
        ((pair? faithful)
         (if (pair? value) (note-object! value faithful)))
        ((null? faithful) (note! pair place))))

;; The value of a JSON text; with its form noted inside with-form.
(define (parse text)
  (let ((value (json-parse text)))
    (if (and (forms) (pair? value))
        (note-form! value (string->json text) #f #f))
    value))

;; Calls (good value) for a JSON text, else (bad reason).
(define (document text good bad)
  (let ((result (guard (condition ((error-object? condition) condition))
                  (list (parse text)))))
    (if (pair? result)
        (good (car result))
        (bad (error-object-message result)))))

(define deepest 1000)

(define (not-json value)
  (%raise-new (%make-condition 'conversion "not a JSON document:"
                               (list value) 'json)
              #f))

(define (unencodable? object)
  (and (%condition-kind? object 'conversion)
       (eq? (%condition-extra object) 'json)))

(define (object-list? list)
  (and (pair? list)
       (not (noted? list 'array))
       (let loop ((rest list))
         (or (null? rest)
             (and (pair? (car rest))
                  (or (string? (caar rest)) (symbol? (caar rest)))
                  (loop (cdr rest)))))))

;; VALUE with {} and arrays told apart for json-stringify; raises for what is no
;; JSON.
(define (exact-form value depth)
  (if (> depth deepest) (not-json value))
  (cond ((or (string? value) (boolean? value) (null? value)) value)
        ((eq? value 'null) value)
        ((real? value)
         (if (and (= value value) (< -inf.0 value +inf.0))
             value
             (not-json value)))
        ((pair? value) (exact-list value (+ depth 1)))
        ((vector? value)
         (vector-map (lambda (item) (exact-form item (+ depth 1))) value))
        ((hash-table? value) (exact-table value (+ depth 1)))
        (else (not-json value))))

(define (exact-list value depth)
  (cond ((not (list? value)) (not-json value))
        ((object-list? value)
         (map (lambda (member)
                (cons (car member)
                      (if (and (null? (cdr member)) (noted? member 'cdr))
                          (json-object)
                          (exact-form (cdr member) depth))))
              value))
        (else
         (let loop ((rest value) (items '()))
           (if (null? rest)
               (list->vector (reverse items))
               (loop (cdr rest)
                     (cons (if (and (null? (car rest)) (noted? rest 'car))
                               (json-object)
                               (exact-form (car rest) depth))
                           items)))))))

(define (exact-table value depth)
  (let ((object (json-object)))
    (hash-table-for-each
     (lambda (key item)
       (if (not (or (string? key) (symbol? key))) (not-json value))
       (hash-table-set! object
                        (if (symbol? key) (symbol->string key) key)
                        (exact-form item depth)))
     value)
    object))

;;> (rendered value)
;;> Return VALUE, which is JSON: strings, numbers, booleans, the symbol null,
;;> lists and alists of these. Raises for anything else in it.
(define (rendered value)
  (exact-form value 0)
  value)

(define (stringify value) (json-stringify (exact-form value 0)))

;; -- capabilities -----------------------------------------------------------------

;; The number of the invocation that goes on, which the host gave.
(define invocation (make-parameter #f))

;; ARGS holds the argument names and their values in turn.
(define (cap-call cap . args)
  (%host-call 'cap-call (invocation) cap (apply json-object args)))

(define (cap-error code message)
  (%raise-new (%make-condition 'cap message '() code) #f))

;;> (cap-error? obj)
;;> Return #t if OBJ is what a denied capability raises.
(define (cap-error? object)
  (or (%condition-kind? object 'cap)
      (%condition-kind? object 'unanswered)
      (and (refusal? object) (string? (refusal-code object)))))

;;> (cap-error-code obj)
;;> Return the code of a denied capability, a string such as "not_allowed", or
;;> "transport" where no answer came; #f where OBJ is something else.
(define (cap-error-code object)
  (cond ((%condition-kind? object 'cap) (%condition-extra object))
        ((%condition-kind? object 'unanswered) "transport")
        ((cap-error? object) (refusal-code object))
        (else #f)))

;;> (cap-error-message obj)
;;> Return what a denied capability says, #f where OBJ is something else.
(define (cap-error-message object)
  (cond ((refusal? object) (refusal-message object))
        ((cap-error? object) (%condition-message object))
        (else #f)))

;; The field NAME of what CAP answered.
(define (cap-field cap value name good?)
  (let ((found (and (list? value)
                    (let loop ((rest value))
                      (cond ((null? rest) #f)
                            ((and (pair? (car rest))
                                  (equal? (caar rest) name))
                             (car rest))
                            (else (loop (cdr rest))))))))
    (if (and found (good? (cdr found)))
        (cdr found)
        (cap-error "transport"
                   (string-append cap ": the answer has no usable "
                                  name)))))

;; -- the host's doors --------------------------------------------------------------

;; Evaluate an entry's TEXT in an environment of its own, (scheme base) and
;; (scheme write) there already; answers what it has under each of the names given, #f for nothing. LIBRARY is the name of a library
;; that it defines and that has them instead, or #f.
(define (%satellite-load text file names library)
  (let ((own (%make-environment #f)))
    (%environment-import! own (environment '(scheme base) '(scheme write)))
    (%run-unit (%unit-open text file own 'program))
    (let ((from (if library (environment library) own)))
      (map (lambda (name) (%environment-ref from name #f)) names))))

(define (report-to number)
  (lambda (text)
    (check-argument 'ctx-report 0 string? "string" text)
    (guard (condition (#t #f))
      (%host-call 'cap-report number text))
    (if #f #f)))

(define (block->list block)
  (if (eq? (block-type block) 'text)
      (list "text" (block-content block))
      (list "json" (stringify (block-content block)))))

(define unspecified (if #f #f))

;; What a tool answered, as lists and strings.
(define (settled value)
  (cond ((outcome? value)
         (list "ok" (map block->list (outcome-blocks value))
               (outcome-terminate value)))
        ((refusal? value) (list "refused" (refusal-message value)))
        ((string? value) (list "ok" (list (list "text" value)) #f))
        ((eq? value unspecified) (list "ok" '(("json" "null")) #f))
        (else (list "ok" (list (list "json" (stringify value))) #f))))

(define (encodable thunk)
  (guard (condition ((unencodable? condition)
                     (list "unencodable" (unencodable-text condition))))
    (thunk)))

(define (unencodable-text condition)
  (let ((out (open-output-string)))
    (write-string "the answer holds what is no JSON: " out)
    (write-short (car (error-object-irritants condition)) out)
    (get-output-string out)))

(define (write-short value out)
  (let ((kind (cond ((number? value) (number->string value))
                    ((symbol? value) (symbol->string value))
                    ((procedure? value) "a procedure")
                    ((pair? value) "an improper or too deep list")
                    ((bytevector? value) "a bytevector")
                    ((char? value) "a character")
                    (else "an object of another type"))))
    (write-string kind out)))

;; A tool as the host calls it: with the JSON text of its arguments, as invocation
;; NUMBER. FORM? says whether the text has a form that needs noting, SURE? that it
;; is known to be JSON.
(define (%satellite-tool run)
  (lambda (text strand deadline-ms number form? sure?)
    (define (go args)
      (let ((value (parameterize ((invocation number))
                     (run args (make-ctx strand deadline-ms
                                         (report-to number))))))
        (if (text-alone? value)
            (settled value)
            (encodable (lambda () (settled value))))))
    (define (start)
      (if sure?
          (go (parse text))
          (document text go (lambda (reason) (list "bad_arguments" reason)))))
    (if form? (with-form start) (start))))

(define (text-alone? value)
  (or (string? value)
      (refusal? value)
      (and (outcome? value)
           (let loop ((rest (outcome-blocks value)))
             (or (null? rest)
                 (and (eq? (block-type (car rest)) 'text)
                      (loop (cdr rest))))))))

;; Answer an event's document with a hook, as invocation NUMBER: ANSWER is that
;; of (ext hook).
(define (%satellite-hook answer hook text number)
  (encodable
   (lambda ()
     (let ((result (parameterize ((invocation number))
                     (answer hook text))))
       (if (refusal? result)
           (list (if (refusal-code result) "bad_arguments" "refused")
                 (refusal-message result))
           (list "ok" result))))))
