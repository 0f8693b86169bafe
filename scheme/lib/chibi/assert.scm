;;; (chibi assert), the body.

;;> (assert expression message ...)
;;> Raise an error unless EXPRESSION is true. Its irritants are the expression and
;;> the messages; without messages, (name value) for each variable among the
;;> arguments of the usual predicates. (assert (= 1 1)) => #t
(define-syntax assert
  (syntax-rules ()
    ((_ expression)
     (or expression
         (assert-variables (expression) () (assertion-failed 'expression))))
    ((_ expression message ...)
     (or expression
         (error "assertion failed" 'expression message ...)))))

(define (assertion-failed expression . variables)
  (apply error "assertion failed" expression variables))

;; (assert-variables (expression ...) (name ...) call): CALL with (list 'name
;; name) added for each variable. Only calls of known procedures are looked into,
;; since in other forms an identifier need be no variable.
(define-syntax assert-variables
  (syntax-rules ()
    ((_ () names call) call)
    ((_ ((operator argument ...) . rest) names call)
     (assert-known operator
                   (assert-variables (argument ... . rest) names call)
                   (assert-variables rest names call)))
    ((_ ((x . y) . rest) names call) (assert-variables rest names call))
    ((_ (#(x ...) . rest) names call) (assert-variables rest names call))
    ((_ (atom . rest) (name ...) (procedure argument ...))
     (let-syntax
         ((new? (syntax-rules (name ...)
                  ((new? atom yes no) yes)
                  ((new? other yes no) no))))
       (new? some-name
             (assert-variables rest (name ... atom)
                               (procedure argument ... (list 'atom atom)))
             (assert-variables rest (name ...) (procedure argument ...)))))))

;; Is OPERATOR one of the procedures (or `and`, `or`) listed here?
(define-syntax assert-known
  (syntax-rules (= < > <= >= + - * / eq? eqv? equal? not and or memq memv
                 member assq assv assoc list cons car cdr cadr length null?
                 pair? list? zero? positive? negative? even? odd? number?
                 integer? real? exact? inexact? string? symbol? char? vector?
                 procedure? boolean? string=? string<? char=? char<?
                 string-length string-ref vector-length vector-ref)
    ((_ = known unknown) known)
    ((_ < known unknown) known)
    ((_ > known unknown) known)
    ((_ <= known unknown) known)
    ((_ >= known unknown) known)
    ((_ + known unknown) known)
    ((_ - known unknown) known)
    ((_ * known unknown) known)
    ((_ / known unknown) known)
    ((_ eq? known unknown) known)
    ((_ eqv? known unknown) known)
    ((_ equal? known unknown) known)
    ((_ not known unknown) known)
    ((_ and known unknown) known)
    ((_ or known unknown) known)
    ((_ memq known unknown) known)
    ((_ memv known unknown) known)
    ((_ member known unknown) known)
    ((_ assq known unknown) known)
    ((_ assv known unknown) known)
    ((_ assoc known unknown) known)
    ((_ list known unknown) known)
    ((_ cons known unknown) known)
    ((_ car known unknown) known)
    ((_ cdr known unknown) known)
    ((_ cadr known unknown) known)
    ((_ length known unknown) known)
    ((_ null? known unknown) known)
    ((_ pair? known unknown) known)
    ((_ list? known unknown) known)
    ((_ zero? known unknown) known)
    ((_ positive? known unknown) known)
    ((_ negative? known unknown) known)
    ((_ even? known unknown) known)
    ((_ odd? known unknown) known)
    ((_ number? known unknown) known)
    ((_ integer? known unknown) known)
    ((_ real? known unknown) known)
    ((_ exact? known unknown) known)
    ((_ inexact? known unknown) known)
    ((_ string? known unknown) known)
    ((_ symbol? known unknown) known)
    ((_ char? known unknown) known)
    ((_ vector? known unknown) known)
    ((_ procedure? known unknown) known)
    ((_ boolean? known unknown) known)
    ((_ string=? known unknown) known)
    ((_ string<? known unknown) known)
    ((_ char=? known unknown) known)
    ((_ char<? known unknown) known)
    ((_ string-length known unknown) known)
    ((_ string-ref known unknown) known)
    ((_ vector-length known unknown) known)
    ((_ vector-ref known unknown) known)
    ((_ other known unknown) unknown)))
