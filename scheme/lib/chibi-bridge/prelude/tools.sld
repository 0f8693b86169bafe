;; What tool files, scheme_eval and the REPL see without an import, in one
;; library. string-index and its relatives are those that answer #f, not SRFI
;; 130's cursors; string-replace also takes two strings, string-split no delimiter. define-tool and register-hook belong to the program:
;; chibi-bridge/preamble.scm.
(define-library (chibi-bridge prelude tools)
  (export
   ;; (scheme base)
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
   ;; (scheme write)
   display write write-shared write-simple
   ;; (scheme read)
   read
   ;; (scheme char)
   char-alphabetic? char-lower-case? char-numeric? char-upper-case?
   char-whitespace? digit-value char-downcase char-foldcase char-upcase
   char-ci<=? char-ci<? char-ci=? char-ci>=? char-ci>? string-downcase
   string-foldcase string-upcase string-ci<=? string-ci<? string-ci=?
   string-ci>=? string-ci>?
   ;; (scheme case-lambda)
   case-lambda
   ;; (scheme inexact)
   acos asin atan cos exp finite? infinite? log nan? sin sqrt tan
   ;; (scheme complex)
   angle imag-part magnitude make-polar make-rectangular real-part
   ;; (tein json)
   json-parse json-stringify json-object
   ;; (tein safe-regexp)
   regexp regexp? regexp-search regexp-search-from regexp-matches
   regexp-matches? regexp-replace regexp-replace-all regexp-split
   regexp-extract regexp-fold regexp-match-count regexp-match-submatch
   regexp-match->list
   ;; (tein docs)
   describe module-doc module-docs
   ;; (srfi 1)
   xcons cons* list-tabulate circular-list iota proper-list? circular-list?
   dotted-list? not-pair? null-list? list= caaar caadr cadar caddr cdaar cdadr
   cddar cdddr caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr cdaaar
   cdaadr cdadar cdaddr cddaar cddadr cdddar cddddr first second third fourth
   fifth sixth seventh eighth ninth tenth car+cdr take drop take-right
   drop-right take! drop-right! split-at split-at! last last-pair length+
   concatenate append! concatenate! reverse! append-reverse append-reverse! zip
   unzip1 unzip2 unzip3 unzip4 unzip5 count fold unfold pair-fold reduce
   fold-right unfold-right pair-fold-right reduce-right append-map append-map!
   map! map-in-order pair-for-each filter-map filter partition remove filter!
   partition! remove! find find-tail any every list-index take-while drop-while
   take-while! span break span! break! delete delete-duplicates delete!
   delete-duplicates! alist-cons alist-copy alist-delete alist-delete! lset<=
   lset= lset-adjoin lset-union lset-union! lset-intersection
   lset-intersection! lset-difference lset-difference! lset-xor lset-xor!
   lset-diff+intersection lset-diff+intersection!
   ;; (srfi 27)
   random-integer random-real default-random-source make-random-source
   random-source? random-source-state-ref random-source-state-set!
   random-source-randomize! random-source-pseudo-randomize!
   random-source-make-integers random-source-make-reals
   ;; (srfi 69)
   make-hash-table hash-table? alist->hash-table
   hash-table-equivalence-function hash-table-hash-function hash-table-ref
   hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists?
   hash-table-update! hash-table-update!/default hash-table-size
   hash-table-keys hash-table-values hash-table-walk hash-table-fold
   hash-table->alist hash-table-copy hash-table-merge! hash string-hash
   string-ci-hash hash-by-identity
   ;; (srfi 95)
   sorted? merge merge! sort sort!
   ;; (srfi 125)
   hash-table hash-table-unfold hash-table-contains? hash-table-empty?
   hash-table=? hash-table-mutable? hash-table-intern! hash-table-pop!
   hash-table-clear! hash-table-entries hash-table-find hash-table-count
   hash-table-map hash-table-for-each hash-table-map! hash-table-map->list
   hash-table-prune! hash-table-empty-copy hash-table-union!
   hash-table-intersection! hash-table-difference! hash-table-xor!
   ;; (srfi 128)
   comparator? comparator-ordered? comparator-hashable? make-comparator
   make-pair-comparator make-list-comparator make-vector-comparator
   make-eq-comparator make-eqv-comparator make-equal-comparator boolean-hash
   char-hash char-ci-hash symbol-hash number-hash make-default-comparator
   default-hash comparator-register-default! comparator-type-test-predicate
   comparator-equality-predicate comparator-ordering-predicate
   comparator-hash-function comparator-test-type comparator-check-type
   comparator-hash hash-bound hash-salt =? <? >? <=? >=? comparator-if<=>
   ;; (srfi 130)
   string-cursor? string-cursor-start string-cursor-end string-cursor-next
   string-cursor-prev string-cursor-forward string-cursor-back string-cursor=?
   string-cursor<? string-cursor>? string-cursor<=? string-cursor>=?
   string-cursor-diff string-cursor->index string-index->cursor string-null?
   string-every string-any string-tabulate string-unfold string-unfold-right
   string->list/cursors string->vector/cursors reverse-list->string string-join
   string-ref/cursor substring/cursors string-copy/cursors string-take
   string-take-right string-drop string-drop-right string-pad string-pad-right
   string-trim string-trim-right string-trim-both string-prefix-length
   string-suffix-length string-prefix? string-suffix? string-index
   string-index-right string-skip string-skip-right string-contains
   string-contains-right string-reverse string-concatenate
   string-concatenate-reverse string-fold string-fold-right
   string-for-each-cursor string-replicate string-count string-replace
   string-split string-filter string-remove
   ;; (srfi 132)
   list-sort list-stable-sort list-sort! list-stable-sort! list-sorted?
   list-merge list-merge! list-delete-neighbor-dups list-delete-neighbor-dups!
   vector-sort vector-stable-sort vector-sort! vector-stable-sort!
   vector-sorted? vector-merge vector-merge! vector-delete-neighbor-dups
   vector-delete-neighbor-dups! vector-find-median vector-find-median!
   vector-select! vector-separate!
   ;; (srfi 133)
   vector-unfold vector-unfold-right vector-reverse-copy vector-concatenate
   vector-append-subvectors vector-empty? vector= vector-fold vector-fold-right
   vector-map! vector-count vector-cumulate vector-index vector-index-right
   vector-skip vector-skip-right vector-binary-search vector-any vector-every
   vector-partition vector-swap! vector-reverse! vector-reverse-copy!
   vector-unfold! vector-unfold-right! reverse-vector->list
   reverse-list->vector
   ;; (chibi match)
   match match-lambda match-lambda* match-let match-let* match-letrec
   ;; (harness tools)
   call-tool
   ;; (harness docs)
   hooks-docs harness-tools-docs
   ;; (chibi-bridge string)
   string-pad-left string-prefix-ci? string-suffix-ci? string-trim-left
   string-titlecase string-contains-ci
   ;; (chibi-bridge lenient), (chibi-bridge format)
   call-with-output-string with-output-to-string format
   ;; (tein introspect)
   available-modules imported-modules module-exports env-bindings
   procedure-arity binding-info describe-environment
   describe-environment/text introspect-docs
   ;; (scheme lazy), (scheme process-context)
   delay delay-force force make-promise promise? command-line exit
   emergency-exit get-environment-variable get-environment-variables
   ;; (srfi 2), (srfi 8), (srfi 26), (chibi assert)
   and-let* receive cut cute assert
   ;; (scheme r5rs)
   exact->inexact inexact->exact)
  (import (scheme base)
          (scheme write)
          (scheme read)
          (scheme char)
          (scheme case-lambda)
          (scheme inexact)
          (scheme complex)
          (tein json)
          (tein safe-regexp)
          (tein docs)
          (tein introspect)
          (scheme lazy)
          (scheme process-context)
          (srfi 1)
          (srfi 2)
          (srfi 8)
          (srfi 26)
          (srfi 27)
          (srfi 69)
          (srfi 95)
          (srfi 125)
          (srfi 128)
          (except (srfi 130) string-index string-index-right
                  string-skip string-skip-right string-replace string-split)
          (srfi 132)
          (srfi 133)
          (chibi match)
          (harness tools)
          (harness docs)
          (only (chibi-bridge string) string-index string-index-right
                string-skip string-skip-right string-pad-left
                string-prefix-ci? string-suffix-ci? string-trim-left
                string-titlecase string-contains-ci)
          (chibi-bridge lenient)
          (only (chibi-bridge format) format)
          (chibi assert)
          (only (scheme r5rs) exact->inexact inexact->exact)))
