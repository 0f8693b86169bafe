;;; (chibi-bridge property), the body.

;; What a generator is: SPEC, data that says which raw values to draw (fuzz/
;; properties.py reads it), and DECODE, which makes the value from a raw one.
(define-record-type generator
  (make-generator spec decode)
  generator?
  (spec generator-spec)
  (decode generator-decode))

(define (same x) x)

(define (plain . spec) (make-generator spec same))

;; Raised where a value that was drawn is to be replaced by another one.
(define-record-type rejection (make-rejection) rejection?)

(define (exact-rational? x) (and (rational? x) (exact? x)))

;; The predicates that stand for the values they answer true for.
(define kinds
  (list (cons integer? '(integer))
        (cons exact-integer? '(integer))
        (cons number? '(number))
        (cons real? '(real))
        (cons rational? '(rational))
        (cons inexact? '(real))
        (cons complex? '(number))
        (cons boolean? '(boolean))
        (cons string? '(string))
        (cons char? '(char))
        (cons symbol? '(symbol))
        (cons bytevector? '(bytevector))
        (cons list? '(list (datum) 0 #f))
        (cons vector? '(vector (datum) 0 #f))
        (cons null? '(constant ()))))

(define (->generator who object)
  (cond ((generator? object) object)
        ((assq object kinds)
         => (lambda (entry) (make-generator (cdr entry) same)))
        ((procedure? object)
         (error (string-append
                 who ": no values are known for this predicate;"
                 " write (such-that predicate generator)")
                object))
        (else (error (string-append who ": not a generator") object))))

(define (check who predicate object what)
  (if (not (predicate object))
      (error (string-append who ": not " what) object)))

(define (size? object) (and (exact-integer? object) (>= object 0)))

;;> (integer-between low high)
;;> Exact integers from LOW to HIGH, both included.
(define (integer-between low high)
  (check "integer-between" exact-integer? low "an exact integer")
  (check "integer-between" exact-integer? high "an exact integer")
  (if (> low high) (error "integer-between: an empty range" low high))
  (plain 'integer low high))

;;> natural
;;> Exact integers from 0 on.
(define natural (plain 'integer 0 #f))

;;> (real-between low high)
;;> Floating-point numbers from LOW to HIGH.
(define (real-between low high)
  (check "real-between" real? low "a real number")
  (check "real-between" real? high "a real number")
  (if (not (<= low high)) (error "real-between: an empty range" low high))
  (plain 'real (inexact low) (inexact high)))

;;> any-string
;;> Strings, the empty one and unusual ones among them; as string? does.
(define any-string (plain 'string))

;;> (string-of characters [least [most]])
;;> Strings of the characters in the string CHARACTERS.
(define (string-of characters . bounds)
  (check "string-of" string? characters "a string")
  (if (string=? characters "") (error "string-of: no characters"))
  (apply plain 'string-of characters (bounds-of "string-of" bounds)))

;;> (char-from characters)
;;> One of the characters in the string CHARACTERS.
(define (char-from characters)
  (check "char-from" string? characters "a string")
  (apply one-of (string->list characters)))

;; (least most), most #f where there is none.
(define (bounds-of who bounds)
  (let ((least (if (pair? bounds) (car bounds) 0))
        (most (and (pair? bounds) (pair? (cdr bounds)) (cadr bounds))))
    (check who size? least "a size")
    (if most (check who size? most "a size"))
    (if (and most (< most least)) (error (string-append who ": an empty range")
                                         least most))
    (list least most)))

(define (decoder-of-items generator)
  (let ((decode (generator-decode generator)))
    (if (eq? decode same)
        same
        (lambda (items) (map decode items)))))

;;> (list-of generator [least [most]])
;;> Lists of at least LEAST and at most MOST values that GENERATOR makes.
(define (list-of generator . bounds)
  (let ((inner (->generator "list-of" generator)))
    (make-generator (append (list 'list (generator-spec inner))
                            (bounds-of "list-of" bounds))
                    (decoder-of-items inner))))

;;> (vector-of generator [least [most]])
;;> Vectors of what GENERATOR makes.
(define (vector-of generator . bounds)
  (map-of list->vector (apply list-of generator bounds)))

;;> (tuple-of generator ...)
;;> Lists with one value of each GENERATOR.
(define (tuple-of . generators)
  (let ((inner (map (lambda (g) (->generator "tuple-of" g)) generators)))
    (make-generator (cons 'tuple (map generator-spec inner))
                    (lambda (items)
                      (map (lambda (g item) ((generator-decode g) item))
                           inner items)))))

;;> (pair-of generator generator)
;;> Pairs.
(define (pair-of car-generator cdr-generator)
  (map-of (lambda (items) (cons (car items) (cadr items)))
          (tuple-of car-generator cdr-generator)))

;;> (one-of value ...)
;;> One of the VALUES, the first where it does not matter.
(define (one-of . values)
  (if (null? values) (error "one-of: no values"))
  (make-generator (list 'integer 0 (- (length values) 1))
                  (lambda (index) (list-ref values index))))

;;> (constant value)
;;> VALUE and no other.
(define (constant value) (one-of value))

;;> (choice generator ...)
;;> What one of the GENERATORS makes.
(define (choice . generators)
  (if (null? generators) (error "choice: no generators"))
  (let ((inner (map (lambda (g) (->generator "choice" g)) generators)))
    (make-generator (cons 'choice (map generator-spec inner))
                    (lambda (drawn)
                      ((generator-decode (list-ref inner (car drawn)))
                       (cadr drawn))))))

;;> (optional-of generator)
;;> #f, or what GENERATOR makes.
(define (optional-of generator) (choice (constant #f) generator))

;;> json-value
;;> What a JSON text becomes in a tool: strings, numbers, lists, alists, null.
(define json-value (plain 'json))

;;> any-datum
;;> Any object that has a written form.
(define any-datum (plain 'datum))

;;> (map-of procedure generator)
;;> What PROCEDURE makes of what GENERATOR makes.
(define (map-of procedure generator)
  (check "map-of" procedure? procedure "a procedure")
  (let ((inner (->generator "map-of" generator)))
    (make-generator (generator-spec inner)
                    (lambda (raw) (procedure ((generator-decode inner) raw))))))

;;> (such-that predicate generator)
;;> What GENERATOR makes and PREDICATE is true for.
(define (such-that predicate generator)
  (check "such-that" procedure? predicate "a procedure")
  (map-of (lambda (value)
            (if (predicate value) value (raise (make-rejection))))
          generator))

;;> (arguments-of tool)
;;> Arguments that the schema of a tool of the file allows, alists.
(define (arguments-of tool)
  (check "arguments-of" string? tool "the name of a tool, a string")
  (plain 'arguments tool))

;;> (implies condition expression)
;;> EXPRESSION's value; values for which CONDITION is false do not count.
(define-syntax implies
  (syntax-rules ()
    ((_ condition expression)
     (if condition expression (raise (make-rejection))))))

;; -- properties ---------------------------------------------------------------

(define-record-type property
  (make-property name variables generators procedure)
  property?
  (name property-name)
  (variables property-variables)
  (generators property-generators)
  (procedure property-procedure))

(define properties '())

(define (add-property! name variables generators procedure)
  (set! properties
        (cons (make-property name variables
                             (map (lambda (g)
                                    (->generator (symbol->string name) g))
                                  generators)
                             procedure)
              properties)))

;;> (define-property name (for-all (variable generator) ...) body ...)
;;> Define the property NAME: for all values of the variables the value of the
;;> last BODY is true and nothing is raised. A generator is one of the above, or
;;> one of the predicates integer? real? rational? number? boolean? string? char?
;;> symbol? list? vector? bytevector?. The body may stand in the for-all too,
;;> behind its variables: (for-all ((variable generator) ...) body ...).
;;> (define-property reverse-twice (for-all (x (list-of integer?)))
;;>   (equal? x (reverse (reverse x))))
(define-syntax define-property
  (syntax-rules (for-all)
    ((_ name (for-all ((variable generator) ...) body0 body ...))
     (add-property! 'name '(variable ...) (list generator ...)
                    (lambda (variable ...) body0 body ...)))
    ((_ name (for-all (variable generator) ...) body0 body ...)
     (add-property! 'name '(variable ...) (list generator ...)
                    (lambda (variable ...) body0 body ...)))))

;;> for-all
;;> Names the variables of a property; see define-property.
(define-syntax for-all
  (syntax-rules ()
    ((_ . rest)
     (syntax-error "for-all stands in define-property, behind the name"))))

;; -- for the runner -----------------------------------------------------------

;;> (%properties)
;;> The properties in the order of their definitions.
(define (%properties) (reverse properties))

;;> (%property-name property)
;;> Its name, a string.
(define (%property-name property)
  (symbol->string (property-name property)))

;;> (%property-variables property)
;;> The names of its variables, strings.
(define (%property-variables property)
  (map symbol->string (property-variables property)))

;;> (%property-specs property)
;;> What to draw for each of its variables.
(define (%property-specs property)
  (map generator-spec (property-generators property)))

;;> (%check-property property raw-values)
;;> A list: the symbol of what came out (holds, fails, rejected, raised), the
;;> written values of the variables, and the condition that was raised.
(define (%check-property property raw)
  (call-with-current-continuation
   (lambda (return)
     (let* ((guarded
             (lambda (shown thunk)
               (with-exception-handler
                (lambda (condition)
                  (return (if (rejection? condition)
                              (list 'rejected shown #f)
                              (list 'raised shown condition))))
                thunk)))
            (values (guarded '()
                             (lambda ()
                               (map (lambda (g item)
                                      ((generator-decode g) item))
                                    (property-generators property) raw))))
            (shown (map written values)))
       (if (guarded shown
                    (lambda () (apply (property-procedure property) values)))
           (list 'holds shown #f)
           (list 'fails shown #f))))))

(define (written object)
  (let ((port (open-output-string)))
    (write object port)
    (get-output-string port)))

(define tool-finder #f)

;;> (%tool-finder! procedure)
;;> Let PROCEDURE answer the handler of the tool with a name, or #f.
(define (%tool-finder! procedure)
  (set! tool-finder procedure))

;;> (run-tool name arguments)
;;> Call a tool of the file with an alist of arguments, nothing filled in or
;;> checked; return its value.
(define (run-tool name arguments)
  (check "run-tool" string? name "the name of a tool, a string")
  (let ((handler (and tool-finder (tool-finder name))))
    (if (not handler) (error "run-tool: the file has no such tool" name))
    (handler arguments)))
