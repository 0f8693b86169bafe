;;; (chibi-bridge tools), the body.
;;;
;;; A clause is a list (key thunk datum) while the tool is built: the thunk
;;; answers the operand's value, the datum is the operand as written; or
;;; (key) or (#f datum) where it is not of the form (key operand).

;; Clauses by name, in place of syntax-rules literals: so variables of the
;; program named description and the like disturb nothing, any order will do,
;; and a mistake is reported with the tool's and the clause's name.
;;
;; Literal lists may stand unquoted: a list of strings, or a list of pairs and
;; lists. syntax-rules cannot tell the latter from a call whose operator is a
;; call, ((f x) (g y)): such an operand wants a name, or (values ...) around it.
(define-syntax %tool-clause
  (syntax-rules ()
    ((_ (key ((first . rest) ...)))
     (list 'key (lambda () '((first . rest) ...)) '((first . rest) ...)))
    ((_ (key operand))
     (list 'key (lambda () operand) 'operand))
    ((_ (key . other)) (list 'key))
    ((_ other) (list #f 'other))))

(define required '(description parameters execute))
(define optional
  '(category summary-params summary http-allow examples returns timeout))

(define (literal-strings? datum)
  (and (pair? datum) (list? datum) (every string? datum)))

(define (operand clause)
  (let ((datum (third clause)))
    (if (literal-strings? datum) datum ((second clause)))))

(define (tool-name name)
  (if (symbol? name) (symbol->string name) name))

;; The first mistake in the form of the clauses, as (clause message), or #f.
(define (mistake clauses)
  (let loop ((rest clauses) (seen '()))
    (if (null? rest)
        (let ((missing (find (lambda (key) (not (memq key seen))) required)))
          (and missing (list missing "is missing")))
        (let* ((clause (car rest))
               (key (car clause)))
          (cond ((not (symbol? key))
                 (list (last clause) "is no clause"))
                ((not (or (memq key required) (memq key optional)))
                 (list key "unknown clause"))
                ((memq key seen) (list key "is given twice"))
                ((null? (cdr clause)) (list key "takes one operand"))
                (else (loop (cdr rest) (cons key seen))))))))

;; The alist of the clauses' values; (problem key condition) is called for one
;; that raises.
(define (clause-values clauses problem)
  (let loop ((rest clauses) (out '()))
    (if (null? rest)
        (reverse out)
        (let* ((key (car (car rest)))
               (result (guard (condition (#t (list condition)))
                         (cons #f (cons key (operand (car rest)))))))
          (if (car result)
              (problem key (car result))
              (loop (cdr rest) (cons (cdr result) out)))))))

(define (value-of key values)
  (let ((entry (assq key values)))
    (and entry (cdr entry))))

(define (extras values)
  (filter (lambda (entry)
            (memq (car entry) '(summary http-allow examples returns timeout)))
          values))

;; (name description parameters handler category summary-params), and the alist
;; of the other clauses where there are any.
(define (entry name values)
  (let ((more (extras values)))
    (append
     (list name
           (value-of 'description values)
           (value-of 'parameters values)
           (value-of 'execute values)
           (value-of 'category values)
           (value-of 'summary-params values))
     (if (null? more) '() (list more)))))

;;> (%build-tool name clauses register report)
;;> Call REGISTER with the registry entry of a tool; or, where its clauses are
;;> wrong, REPORT with a list (name clause message condition-or-#f).
(define (%build-tool name clauses register report)
  (let* ((wrong (if (symbol? name)
                    (mistake clauses)
                    (list "name" "is no symbol")))
         (name (tool-name name)))
    (if wrong
        (report (list name (first wrong) (second wrong) #f))
        (let ((values
               (clause-values
                clauses
                (lambda (key condition)
                  (report (list name key "raised" condition))
                  #f))))
          (if values (register (entry name values)))))))

;; What adds an entry to the program's registry of hooks; the preamble gives it.
(define keep-hook! #f)

;;> (%keep-hooks! procedure)
;;> Let PROCEDURE be called with each entry that register-hook makes.
(define (%keep-hooks! procedure)
  (set! keep-hook! procedure))

;;> (register-hook name handler)
;;> Let HANDLER be called, with an alist, when the event NAME, a symbol, happens.
(define (register-hook name handler)
  (if (not keep-hook!)
      (error "register-hook: hooks are for tool files" name))
  (keep-hook! (list (if (symbol? name) (symbol->string name) name) handler)))
