;;; (chibi match), the body.
;;;
;;; (match-one value place pattern (k argument ...) failure names)
;;;
;;; VALUE is an identifier, PLACE an expression that says where the value is kept
;;; (for get! and set!), FAILURE a small expression that goes on elsewhere, and
;;; NAMES the identifiers bound so far. On success the code is what the macro use
;;; (k argument ... names) expands to, with the pattern's names added; so NAMES
;;; stands last everywhere, and a partial use of a matcher is a continuation.
;;;
;;; The ellipsis of these rules is ::: and ... an ordinary literal.

;;> (match expression clause ...)
;;> Evaluate the body of the first clause whose pattern matches.
;;> (match '(1 2 3) ((a b c) (+ a b c))) => 6
(define-syntax match
  (syntax-rules ()
    ((_ expression clause ...)
     (let ((value expression))
       (match-clauses value expression clause ...)))))

(define (match-failed value)
  (error "match: no matching pattern" value))

(define-syntax match-clauses
  (syntax-rules (=>)
    ((_ value place) (match-failed value))
    ((_ value place (pattern (=> next) body ...) clause ...)
     (let ((next (lambda () (match-clauses value place clause ...))))
       (match-one value place pattern (match-body (body ...)) (next) ())))
    ((_ value place (pattern body ...) clause ...)
     (let ((next (lambda () (match-clauses value place clause ...))))
       (match-one value place pattern (match-body (body ...)) (next) ())))
    ((_ value place clause . more)
     (syntax-error "a clause of match is (pattern body ...)" clause))))

;; -- continuations ----------------------------------------------------------

(define-syntax match-body
  (syntax-rules ()
    ((_ () names) (syntax-error "a clause of match without a body"))
    ((_ (body ...) names) (let () body ...))))

(define-syntax match-call
  (syntax-rules ()
    ((_ expression names) expression)))

;; -- one pattern ------------------------------------------------------------

(define-syntax match-one
  (syntax-rules ::: (quote quasiquote and or not ? = $ struct @ object get! set!
                     _ ... ___ ..1 **1 =.. *.. ***)
    ((_ value place () (k :::) failure names)
     (if (null? value) (k ::: names) failure))
    ((_ value place (quote datum) (k :::) failure names)
     (if (equal? value 'datum) (k ::: names) failure))
    ((_ value place (quasiquote pattern) k failure names)
     (match-quasi value place pattern () k failure names))
    ((_ value place (and) (k :::) failure names) (k ::: names))
    ((_ value place (and pattern) k failure names)
     (match-one value place pattern k failure names))
    ((_ value place (and pattern . more) k failure names)
     (match-one value place pattern
                (match-one value place (and . more) k failure)
                failure names))
    ((_ value place (or) k failure names) failure)
    ((_ value place (or pattern) k failure names)
     (match-one value place pattern k failure names))
    ((_ value place (or . patterns) k failure names)
     (match-names patterns
                  (match-or value place patterns k failure names)
                  names ()))
    ((_ value place (not pattern :::) (k :::) failure names)
     (match-one value place (or pattern :::)
                (match-call failure) (k ::: names) names))
    ((_ value place (? satisfied? pattern :::) k failure names)
     (if (satisfied? value)
         (match-one value place (and pattern :::) k failure names)
         failure))
    ((_ value place (= procedure pattern) k failure names)
     (let ((field (procedure value)))
       (match-one field (procedure value) pattern k failure names)))
    ((_ value place ($ type pattern :::) k failure names)
     (match-record value type (pattern :::) k failure names))
    ((_ value place (struct type pattern :::) k failure names)
     (match-record value type (pattern :::) k failure names))
    ((_ value place (@ type (field pattern) :::) k failure names)
     (match-object value type ((field pattern) :::) k failure names))
    ((_ value place (object type (field pattern) . more) k failure names)
     (match-object value type ((field pattern) . more) k failure names))
    ((_ value place (get! name) (k :::) failure (bound :::))
     (let ((name (lambda () place)))
       (k ::: (bound ::: name))))
    ((_ value place (set! name) (k :::) failure (bound :::))
     (let ((name (match-setter place)))
       (k ::: (bound ::: name))))
    ((_ value place (pattern ...) k failure names)
     (match-all value pattern k failure names))
    ((_ value place (pattern ___) k failure names)
     (match-all value pattern k failure names))
    ((_ value place (pattern ... . rest) k failure names)
     (match-some 0 #f value pattern rest k failure names))
    ((_ value place (pattern ___ . rest) k failure names)
     (match-some 0 #f value pattern rest k failure names))
    ((_ value place (pattern ..1 . rest) k failure names)
     (match-some 1 #f value pattern rest k failure names))
    ((_ value place (pattern **1 . rest) k failure names)
     (match-some 1 #f value pattern rest k failure names))
    ((_ value place (pattern =.. n . rest) k failure names)
     (match-some n n value pattern rest k failure names))
    ((_ value place (pattern *.. n m . rest) k failure names)
     (match-some n m value pattern rest k failure names))
    ((_ value place (head *** pattern) k failure names)
     (match-names head (match-tree value head pattern k failure names)
                  names ()))
    ((_ value place (first . rest) k failure names)
     (if (pair? value)
         (let ((head (car value)))
           (match-one head (car value) first
                      (match-tail value rest k failure)
                      failure names))
         failure))
    ((_ value place #(pattern :::) k failure names)
     (match-vector value (pattern :::) (pattern :::) k failure names))
    ((_ value place _ (k :::) failure names) (k ::: names))
    ((_ value place pattern k failure names)
     (match-atom value pattern k failure names))))

(define-syntax match-tail
  (syntax-rules (_)
    ((_ value () (k ...) failure names)
     (if (null? (cdr value)) (k ... names) failure))
    ((_ value rest k failure names)
     (let ((tail (cdr value)))
       (match-one tail (cdr value) rest k failure names)))))

;; A literal, a name bound before, or a new name.
(define-syntax match-atom
  (syntax-rules ()
    ((_ value pattern (k ...) failure (name ...))
     (let-syntax
         ((new? (syntax-rules (name ...)
                  ((new? pattern yes no) yes)
                  ((new? other yes no) no))))
       (new? some-name
             (let ((pattern value)) (k ... (name ... pattern)))
             (if (equal? value pattern) (k ... (name ...)) failure))))))

;; What changes a place.
(define-syntax match-setter
  (syntax-rules (car cdr vector-ref match-field)
    ((_ (car pair)) (lambda (new) (set-car! pair new)))
    ((_ (cdr pair)) (lambda (new) (set-cdr! pair new)))
    ((_ (vector-ref vector i)) (lambda (new) (vector-set! vector i new)))
    ((_ (match-field record i)) (lambda (new) (match-set-field! record i new)))
    ((_ (other ...)) (lambda (new) (match-no-place)))
    ((_ name) (lambda (new) (set! name new)))))

(define (match-no-place)
  (error "match: a value that was computed has no place to be set"))

;; -- the names of a pattern -------------------------------------------------

;; (match-names pattern (k argument ...) names found) goes on as
;; (k argument ... ((name list) ...)) with the new names of PATTERN, each with a
;; fresh identifier beside it.
(define-syntax match-names
  (syntax-rules ::: (quote quasiquote ? = $ struct @ object get! set! and or not
                     _ ... ___ ..1 **1 =.. *.. ***)
    ((_ () (k :::) names found) (k ::: found))
    ((_ (quote datum) (k :::) names found) (k ::: found))
    ((_ (quasiquote pattern) k names found)
     (match-quasi-names pattern k names found))
    ((_ (? satisfied? . patterns) k names found)
     (match-names patterns k names found))
    ((_ (= procedure pattern) k names found)
     (match-names pattern k names found))
    ((_ ($ type . patterns) k names found)
     (match-names patterns k names found))
    ((_ (struct type . patterns) k names found)
     (match-names patterns k names found))
    ((_ (@ type (field pattern) :::) k names found)
     (match-names (pattern :::) k names found))
    ((_ (object type (field pattern) :::) k names found)
     (match-names (pattern :::) k names found))
    ((_ (get! name) k names found) (match-names name k names found))
    ((_ (set! name) k names found) (match-names name k names found))
    ((_ (and . patterns) k names found) (match-names patterns k names found))
    ((_ (or . patterns) k names found) (match-names patterns k names found))
    ((_ (not . patterns) (k :::) names found) (k ::: found))
    ((_ (pattern =.. n . rest) k names found)
     (match-names (pattern . rest) k names found))
    ((_ (pattern *.. n m . rest) k names found)
     (match-names (pattern . rest) k names found))
    ((_ (first . rest) k names found)
     (match-names first (match-names rest k names) names found))
    ((_ #(pattern :::) k names found)
     (match-names (pattern :::) k names found))
    ((_ _ (k :::) names found) (k ::: found))
    ((_ ... (k :::) names found) (k ::: found))
    ((_ ___ (k :::) names found) (k ::: found))
    ((_ ..1 (k :::) names found) (k ::: found))
    ((_ **1 (k :::) names found) (k ::: found))
    ((_ *** (k :::) names found) (k ::: found))
    ((_ atom k names found) (match-new-name atom k names found))))

(define-syntax match-new-name
  (syntax-rules ()
    ((_ atom (k ...) (bound ...) ((name list) ...))
     (let-syntax
         ((new? (syntax-rules (bound ... name ...)
                  ((new? atom yes no) yes)
                  ((new? other yes no) no))))
       (new? some-name
             (k ... ((name list) ... (atom fresh)))
             (k ... ((name list) ...)))))))

;; The names of a quasi-pattern, whatever the level.
(define-syntax match-quasi-names
  (syntax-rules ::: (unquote unquote-splicing)
    ((_ (unquote pattern) k names found) (match-names pattern k names found))
    ((_ (unquote-splicing pattern) k names found)
     (match-names pattern k names found))
    ((_ (first . rest) k names found)
     (match-quasi-names first (match-quasi-names rest k names) names found))
    ((_ #(pattern :::) k names found)
     (match-quasi-names (pattern :::) k names found))
    ((_ datum (k :::) names found) (k ::: found))))

;; -- alternatives -----------------------------------------------------------

;; A name that the alternative which matches does not bind is #f.
(define-syntax match-or
  (syntax-rules ()
    ((_ value place patterns (k ...) failure (bound ...) ((name list) ...))
     (let ((yes (lambda (name ...) (k ... (bound ... name ...)))))
       (match-or-each value place patterns (yes name ...) (name ...)
                      failure (bound ...))))))

(define-syntax match-or-each
  (syntax-rules ()
    ((_ value place () call variables failure names) failure)
    ((_ value place (pattern . more) call (name ...) failure names)
     (let ((no (lambda ()
                 (match-or-each value place more call (name ...)
                                failure names))))
       (let ((name #f) ...)
         (match-one value place pattern (match-call call) (no) names))))))

;; -- repetition -------------------------------------------------------------

;; (pattern ...) up to the end of a list.
(define-syntax match-all
  (syntax-rules (_)
    ((_ value _ (k ...) failure names)
     (if (list? value) (k ... names) failure))
    ((_ value pattern (k ...) failure (name ...))
     (let-syntax
         ((new? (syntax-rules (name ...)
                  ((new? pattern yes no) yes)
                  ((new? other yes no) no))))
       (new? some-name
             (if (list? value)
                 (let ((pattern value)) (k ... (name ... pattern)))
                 failure)
             (if (list? value)
                 (match-some 0 #f value pattern () (k ...) failure (name ...))
                 failure))))))

;; PATTERN at least LEAST and at most MOST times, in front of REST.
(define-syntax match-some
  (syntax-rules ()
    ((_ least most value pattern rest k failure names)
     (match-names pattern
                  (match-some-of least most value pattern rest k failure names)
                  names ()))))

(define-syntax match-some-of
  (syntax-rules ()
    ((_ least most value pattern rest k failure (bound ...) ((name list) ...))
     (let ((count (match-count value (match-wanted rest) least most)))
       (if count
           (let loop ((tail value) (left count) (list '()) ...)
             (if (> left 0)
                 (let ((element (car tail)))
                   (match-one element (car tail) pattern
                              (match-call (loop (cdr tail) (- left 1)
                                                (cons name list) ...))
                              failure (bound ...)))
                 (let ((name (reverse list)) ...)
                   (match-one tail tail rest k failure
                              (bound ... name ...)))))
           failure)))))

;; How many elements of VALUE the repetition takes, at most MOST, if WANTED must be
;; left; #f if that is below LEAST.
(define (match-count value wanted least most)
  (let ((count (- (match-length value) wanted)))
    (and (>= count least)
         (if most (min count most) count))))

;; How many pairs VALUE has at its front; of a circular list, -1.
(define (match-length value)
  (let loop ((fast value) (slow value) (n 0))
    (cond ((not (pair? fast)) n)
          ((not (pair? (cdr fast))) (+ n 1))
          ((eq? (cddr fast) (cdr slow)) (match-end-length (cddr fast) (+ n 2)))
          (else (loop (cddr fast) (cdr slow) (+ n 2))))))

;; Both runners met in TAIL: the end of the list, or a circle.
(define (match-end-length tail n)
  (if (pair? tail) -1 n))

;; How many elements the patterns of REST ask for at least.
(define-syntax match-wanted
  (syntax-rules ::: (quote quasiquote unquote unquote-splicing ? = and or not
                     $ struct @ object get! set! ... ___ ..1 **1 =.. *.. ***)
    ((_ (quote datum)) (match-wanted-datum datum))
    ((_ (quasiquote pattern)) (match-wanted-quasi pattern))
    ((_ (? . more)) 0)
    ((_ (= . more)) 0)
    ((_ (and . more)) 0)
    ((_ (or . more)) 0)
    ((_ (not . more)) 0)
    ((_ ($ . more)) 0)
    ((_ (struct . more)) 0)
    ((_ (@ . more)) 0)
    ((_ (get! name)) 0)
    ((_ (set! name)) 0)
    ((_ (first ... . rest)) (match-wanted rest))
    ((_ (first ___ . rest)) (match-wanted rest))
    ((_ (first ..1 . rest)) (+ 1 (match-wanted rest)))
    ((_ (first **1 . rest)) (+ 1 (match-wanted rest)))
    ((_ (first =.. n . rest)) (+ n (match-wanted rest)))
    ((_ (first *.. n m . rest)) (+ n (match-wanted rest)))
    ((_ (first *** pattern)) 0)
    ((_ (first . rest)) (+ 1 (match-wanted rest)))
    ((_ other) 0)))

(define-syntax match-wanted-datum
  (syntax-rules ()
    ((_ (first . rest)) (+ 1 (match-wanted-datum rest)))
    ((_ other) 0)))

(define-syntax match-wanted-quasi
  (syntax-rules ::: (unquote unquote-splicing ... ___)
    ((_ (unquote pattern)) (match-wanted pattern))
    ((_ ((unquote-splicing pattern) . rest)) (match-wanted-quasi rest))
    ((_ (first ... . rest)) (match-wanted-quasi rest))
    ((_ (first ___ . rest)) (match-wanted-quasi rest))
    ((_ (first . rest)) (+ 1 (match-wanted-quasi rest)))
    ((_ other) 0)))

;; -- trees ------------------------------------------------------------------

;; (head *** pattern): depth first, the names of HEAD collected along the path.
(define-syntax match-tree
  (syntax-rules ()
    ((_ value head pattern k failure (bound ...) ((name list) ...))
     (let try ((tree value) (fail (lambda () failure)) (list '()) ...)
       (let ((inner
              (lambda ()
                (if (pair? tree)
                    (let ((first (car tree)))
                      (match-one first (car tree) head
                                 (match-call
                                  (let ((list (cons name list)) ...)
                                    (let each ((rest (cdr tree)))
                                      (if (pair? rest)
                                          (try (car rest)
                                               (lambda () (each (cdr rest)))
                                               list ...)
                                          (fail)))))
                                 (fail) (bound ...)))
                    (fail)))))
         (match-one tree tree pattern
                    (match-tree-found ((name list) ...) k)
                    (inner) (bound ...)))))))

;; PATTERN's own names must not be hidden by the lists: the path's names are
;; bound where it has matched.
(define-syntax match-tree-found
  (syntax-rules ()
    ((_ ((name list) ...) (k ...) (bound ...))
     (let ((name (reverse list)) ...)
       (k ... (bound ... name ...))))))

;; -- vectors ----------------------------------------------------------------

;; Is there a repetition among the patterns? Then the elements go by a list.
(define-syntax match-vector
  (syntax-rules ::: (... ___ ..1 **1 =.. *.. ***)
    ((_ value () patterns k failure names)
     (if (and (vector? value)
              (= (vector-length value) (match-wanted patterns)))
         (match-element value 0 patterns k failure names)
         failure))
    ((_ value (first ... . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first ___ . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first ..1 . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first **1 . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first =.. . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first *.. . rest) patterns k failure names)
     (match-elements value patterns k failure names))
    ((_ value (first . rest) patterns k failure names)
     (match-vector value rest patterns k failure names))))

(define-syntax match-element
  (syntax-rules ()
    ((_ value i () (k ...) failure names) (k ... names))
    ((_ value i (pattern . rest) k failure names)
     (let ((element (vector-ref value i)))
       (match-one element (vector-ref value i) pattern
                  (match-element value (+ i 1) rest k failure)
                  failure names)))))

(define-syntax match-elements
  (syntax-rules ()
    ((_ value patterns k failure names)
     (if (vector? value)
         (let ((elements (vector->list value)))
           (match-one elements elements patterns k failure names))
         failure))))

;; -- records ----------------------------------------------------------------

(define (match-instance? type value)
  (if (%record-type? type)
      (%record? value type)
      (type value)))

(define (match-field record i)
  (%record-ref record (%record-type record) i))

(define (match-set-field! record i new)
  (%record-set! record (%record-type record) i new))

;; The index of the field NAME of RECORD.
(define (match-field-index record name)
  (let ((fields (%record-type-fields (%record-type record))))
    (let loop ((i 0))
      (cond ((= i (vector-length fields))
             (error "match: a record without this field" name record))
            ((eq? (vector-ref fields i) name) i)
            (else (loop (+ i 1)))))))

(define-syntax match-record
  (syntax-rules ()
    ((_ value type patterns k failure names)
     (if (match-instance? type value)
         (match-fields value 0 patterns k failure names)
         failure))))

(define-syntax match-fields
  (syntax-rules ()
    ((_ value i () (k ...) failure names) (k ... names))
    ((_ value i (pattern . rest) k failure names)
     (let ((field (match-field value i)))
       (match-one field (match-field value i) pattern
                  (match-fields value (+ i 1) rest k failure)
                  failure names)))))

(define-syntax match-object
  (syntax-rules ()
    ((_ value type fields k failure names)
     (if (match-instance? type value)
         (match-named-fields value fields k failure names)
         failure))))

(define-syntax match-named-fields
  (syntax-rules ()
    ((_ value () (k ...) failure names) (k ... names))
    ((_ value ((name pattern) . rest) k failure names)
     (let* ((i (match-field-index value 'name))
            (field (match-field value i)))
       (match-one field (match-field value i) pattern
                  (match-named-fields value rest k failure)
                  failure names)))))

;; -- quasi-patterns ---------------------------------------------------------

;; LEVEL is a list as long as quasiquotes are open inside the outermost one.
(define-syntax match-quasi
  (syntax-rules ::: (quasiquote unquote unquote-splicing ... ___)
    ((_ value place (unquote pattern) () k failure names)
     (match-one value place pattern k failure names))
    ((_ value place (unquote datum) (outer . level) k failure names)
     (match-quasi-pair value unquote (datum) level k failure names))
    ((_ value place (quasiquote datum) level k failure names)
     (match-quasi-pair value quasiquote (datum) (inner . level)
                       k failure names))
    ((_ value place ((unquote-splicing pattern)) () k failure names)
     (match-one value place pattern k failure names))
    ((_ value place ((unquote-splicing pattern) . rest) () k failure names)
     (match-some 0 #f value pattern (quasiquote rest) k failure names))
    ((_ value place (first ... . rest) () k failure names)
     (match-some 0 #f value (quasiquote first) (quasiquote rest)
                 k failure names))
    ((_ value place (first ___ . rest) () k failure names)
     (match-some 0 #f value (quasiquote first) (quasiquote rest)
                 k failure names))
    ((_ value place (first . rest) level k failure names)
     (match-quasi-pair value first rest level k failure names))
    ((_ value place #(pattern :::) level k failure names)
     (if (vector? value)
         (let ((elements (vector->list value)))
           (match-quasi elements elements (pattern :::) level k failure names))
         failure))
    ((_ value place datum level (k :::) failure names)
     (if (equal? value 'datum) (k ::: names) failure))))

(define-syntax match-quasi-pair
  (syntax-rules ()
    ((_ value first rest level k failure names)
     (if (pair? value)
         (let ((head (car value))
               (tail (cdr value)))
           (match-quasi head (car value) first level
                        (match-quasi tail (cdr value) rest level k failure)
                        failure names))
         failure))))

;; -- relatives --------------------------------------------------------------

;;> (match-lambda clause ...)
;;> Return a procedure of one argument that matches it.
;;> ((match-lambda ((a b) (+ a b))) '(1 2)) => 3
(define-syntax match-lambda
  (syntax-rules ()
    ((_ clause ...) (lambda (value) (match value clause ...)))))

;;> (match-lambda* clause ...)
;;> Return a procedure that matches the list of its arguments.
;;> ((match-lambda* ((a . b) (list a b))) 1 2) => (1 (2))
(define-syntax match-lambda*
  (syntax-rules ()
    ((_ clause ...) (lambda arguments (match arguments clause ...)))))

;;> (match-let [name] ((pattern expression) ...) body ...)
;;> Bind the names of all patterns at once; with NAME, loop like a named let.
;;> (match-let (((a b) '(1 2)) (c 3)) (+ a b c)) => 6
(define-syntax match-let
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match (list expression ...) ((pattern ...) body ...)))
    ((_ name ((pattern expression) ...) body ...)
     ((letrec ((name (match-lambda* ((pattern ...) body ...)))) name)
      expression ...))))

;;> (match-let* ((pattern expression) ...) body ...)
;;> Bind the names of one pattern after the other.
;;> (match-let* (((a b) '(1 2)) (c (+ a b))) c) => 3
(define-syntax match-let*
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((pattern expression) . rest) body ...)
     (match expression (pattern (match-let* rest body ...))))))

;;> (match-letrec ((pattern expression) ...) body ...)
;;> Bind the names of all patterns, which the expressions may refer to.
;;> (match-letrec (((f g) (list (lambda () (g)) (lambda () 1)))) (f)) => 1
(define-syntax match-letrec
  (syntax-rules ()
    ((_ ((pattern expression) ...) body ...)
     (match-names (pattern ...)
                  (match-letrec-of (pattern ...) (expression ...) (body ...))
                  () ()))))

(define-syntax match-letrec-of
  (syntax-rules ()
    ((_ patterns (expression ...) (body ...) ((name list-name) ...))
     (let ((name #f) ...)
       (let ((found (match (list expression ...) (patterns (list name ...)))))
         (match-set-all! (name ...) found)
         (let () body ...))))))

(define-syntax match-set-all!
  (syntax-rules ()
    ((_ () found) #t)
    ((_ (name . rest) found)
     (let ((more (cdr found)))
       (set! name (car found))
       (match-set-all! rest more)))))
