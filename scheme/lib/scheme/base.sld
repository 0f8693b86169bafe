;; R7RS-small base library: the core environment's names.
(define-library (scheme base)
  (export
   ;; syntax
   _ ... => else and begin case cond cond-expand define define-record-type
   define-syntax define-values do guard if include include-ci lambda let let*
   let*-values let-syntax let-values letrec letrec* letrec-syntax or
   parameterize quasiquote quote set! syntax-error syntax-rules unless unquote
   unquote-splicing when
   ;; equivalence, booleans, procedures
   eq? equal? eqv? boolean=? boolean? not apply call-with-values procedure?
   values
   ;; numbers
   * + - / < <= = > >= abs ceiling complex? denominator even?
   exact exact-integer-sqrt exact-integer? exact? expt floor floor-quotient
   floor-remainder floor/ gcd inexact inexact? integer? lcm max min modulo
   negative? number->string number? numerator odd? positive? quotient rational?
   rationalize real? remainder round square string->number truncate
   truncate-quotient truncate-remainder truncate/ zero?
   ;; pairs and lists
   append assoc assq assv caar cadr car cdar cddr cdr cons for-each length list
   list-copy list-ref list-set! list-tail list? make-list map member memq memv
   null? pair? reverse set-car! set-cdr!
   ;; symbols, characters
   string->symbol symbol->string symbol=? symbol?
   char->integer char<=? char<? char=? char>=? char>? char? integer->char
   ;; strings
   list->string make-string string string->list string->utf8 string->vector
   string-append string-copy string-copy! string-fill! string-for-each
   string-length string-map string-ref string-set! string<=? string<? string=?
   string>=? string>? string? substring utf8->string
   ;; vectors, bytevectors
   list->vector make-vector vector vector->list vector->string vector-append
   vector-copy vector-copy! vector-fill! vector-for-each vector-length
   vector-map vector-ref vector-set! vector?
   bytevector bytevector-append bytevector-copy bytevector-copy!
   bytevector-length bytevector-u8-ref bytevector-u8-set! bytevector?
   make-bytevector
   ;; control
   call-with-current-continuation
   (rename call-with-current-continuation call/cc) dynamic-wind
   make-parameter features
   ;; exceptions
   error error-object-irritants error-object-message error-object? file-error?
   raise raise-continuable read-error? with-exception-handler
   ;; ports
   binary-port? call-with-port char-ready? close-input-port close-output-port
   close-port current-error-port current-input-port current-output-port
   eof-object eof-object? flush-output-port get-output-bytevector
   get-output-string input-port-open? input-port? newline open-input-bytevector
   open-input-string open-output-bytevector open-output-string
   output-port-open? output-port? peek-char peek-u8 port? read-bytevector
   read-bytevector! read-char read-line read-string read-u8 textual-port?
   u8-ready? write-bytevector write-char write-string write-u8)
  (import (%core)))
