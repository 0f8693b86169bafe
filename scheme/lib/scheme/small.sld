;; R7RS-small: all of its libraries in one.
(define-library (scheme small)
  (export
   ;; base
   _ ... => else and begin case cond cond-expand define define-record-type
   define-syntax define-values do guard if include include-ci lambda let let*
   let*-values let-syntax let-values letrec letrec* letrec-syntax or
   parameterize quasiquote quote set! syntax-error syntax-rules unless unquote
   unquote-splicing when eq? equal? eqv? boolean=? boolean? not apply
   call-with-values procedure? values * + - / < <= = > >= abs ceiling complex?
   denominator even? exact exact-integer-sqrt exact-integer? exact? expt floor
   floor-quotient floor-remainder floor/ gcd inexact inexact? integer? lcm max
   min modulo negative? number->string number? numerator odd? positive?
   quotient rational? rationalize real? remainder round square string->number
   truncate truncate-quotient truncate-remainder truncate/ zero? append assoc
   assq assv caar cadr car cdar cddr cdr cons for-each length list list-copy
   list-ref list-set! list-tail list? make-list map member memq memv null?
   pair? reverse set-car! set-cdr! string->symbol symbol->string symbol=?
   symbol? char->integer char<=? char<? char=? char>=? char>? char?
   integer->char list->string make-string string string->list string->utf8
   string->vector string-append string-copy string-copy! string-fill!
   string-for-each string-length string-map string-ref string-set! string<=?
   string<? string=? string>=? string>? string? substring utf8->string
   list->vector make-vector vector vector->list vector->string vector-append
   vector-copy vector-copy! vector-fill! vector-for-each vector-length
   vector-map vector-ref vector-set! vector? bytevector bytevector-append
   bytevector-copy bytevector-copy! bytevector-length bytevector-u8-ref
   bytevector-u8-set! bytevector? make-bytevector
   call-with-current-continuation call/cc dynamic-wind make-parameter features
   error error-object-irritants error-object-message error-object? file-error?
   raise raise-continuable read-error? with-exception-handler binary-port?
   call-with-port char-ready? close-input-port close-output-port close-port
   current-error-port current-input-port current-output-port eof-object
   eof-object? flush-output-port get-output-bytevector get-output-string
   input-port-open? input-port? newline open-input-bytevector open-input-string
   open-output-bytevector open-output-string output-port-open? output-port?
   peek-char peek-u8 port? read-bytevector read-bytevector! read-char read-line
   read-string read-u8 textual-port? u8-ready? write-bytevector write-char
   write-string write-u8
   ;; case-lambda
   case-lambda
   ;; char
   char-alphabetic? char-lower-case? char-numeric? char-upper-case?
   char-whitespace? digit-value char-downcase char-foldcase char-upcase
   char-ci<=? char-ci<? char-ci=? char-ci>=? char-ci>? string-downcase
   string-foldcase string-upcase string-ci<=? string-ci<? string-ci=?
   string-ci>=? string-ci>?
   ;; complex
   angle imag-part magnitude make-polar make-rectangular real-part
   ;; cxr
   caaar caadr cadar caddr cdaar cdadr cddar cdddr caaaar caaadr caadar caaddr
   cadaar cadadr caddar cadddr cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar
   cddddr
   ;; eval
   environment eval
   ;; file
   call-with-input-file call-with-output-file delete-file file-exists?
   open-binary-input-file open-binary-output-file open-input-file
   open-output-file with-input-from-file with-output-to-file
   ;; inexact
   acos asin atan cos exp finite? infinite? log nan? sin sqrt tan
   ;; lazy
   delay delay-force force make-promise promise?
   ;; load
   load
   ;; process-context
   command-line emergency-exit exit get-environment-variable
   get-environment-variables
   ;; read
   read
   ;; repl
   interaction-environment
   ;; time
   current-jiffy current-second jiffies-per-second
   ;; write
   display write write-shared write-simple)
  (import (scheme base) (scheme case-lambda) (scheme char) (scheme complex)
          (scheme cxr) (scheme eval) (scheme file) (scheme inexact)
          (scheme lazy) (scheme load) (scheme process-context) (scheme read)
          (scheme repl) (scheme time) (scheme write)))
