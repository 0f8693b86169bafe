;; R7RS-large, the Red Edition, and R7RS-small: all of their libraries in one. Of two
;; that give one name different meanings (vector-map, string-hash) the later one wins.
(define-library (scheme red)
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
   display write write-shared write-simple
   ;; box
   box box? unbox set-box!
   ;; charset
   char-set? char-set= char-set<= char-set-hash char-set-cursor char-set-ref
   char-set-cursor-next end-of-char-set? char-set-fold char-set-unfold
   char-set-unfold! char-set-for-each char-set-map char-set-copy char-set
   list->char-set list->char-set! string->char-set string->char-set!
   char-set-filter char-set-filter! ucs-range->char-set ucs-range->char-set!
   ->char-set char-set-size char-set-count char-set->list char-set->string
   char-set-contains? char-set-every char-set-any char-set-adjoin
   char-set-adjoin! char-set-delete char-set-delete! char-set-complement
   char-set-complement! char-set-union char-set-union! char-set-intersection
   char-set-intersection! char-set-difference char-set-difference! char-set-xor
   char-set-xor! char-set-diff+intersection char-set-diff+intersection!
   char-set:lower-case char-set:upper-case char-set:title-case char-set:letter
   char-set:digit char-set:letter+digit char-set:graphic char-set:printing
   char-set:whitespace char-set:iso-control char-set:punctuation
   char-set:symbol char-set:hex-digit char-set:blank char-set:ascii
   char-set:empty char-set:full
   ;; comparator
   comparator? comparator-ordered? comparator-hashable? make-comparator
   make-pair-comparator make-list-comparator make-vector-comparator
   make-eq-comparator make-eqv-comparator make-equal-comparator boolean-hash
   char-hash char-ci-hash string-hash string-ci-hash symbol-hash number-hash
   make-default-comparator default-hash comparator-register-default!
   comparator-type-test-predicate comparator-equality-predicate
   comparator-ordering-predicate comparator-hash-function comparator-test-type
   comparator-check-type comparator-hash hash-bound hash-salt =? <? >? <=? >=?
   comparator-if<=>
   ;; ephemeron
   make-ephemeron ephemeron? ephemeron-key ephemeron-datum ephemeron-broken?
   reference-barrier
   ;; generator
   generator circular-generator make-iota-generator make-range-generator
   make-coroutine-generator list->generator vector->generator
   reverse-vector->generator string->generator bytevector->generator
   make-for-each-generator make-unfold-generator gcons* gappend gflatten ggroup
   gmerge gmap gcombine gfilter gremove gstate-filter gtake gdrop gtake-while
   gdrop-while gdelete gdelete-neighbor-dups gindex gselect generator->list
   generator->reverse-list generator->vector generator->vector!
   generator->string generator-fold generator-map->list generator-for-each
   generator-find generator-count generator-any generator-every
   generator-unfold make-accumulator count-accumulator list-accumulator
   reverse-list-accumulator vector-accumulator reverse-vector-accumulator
   vector-accumulator! string-accumulator bytevector-accumulator
   bytevector-accumulator! sum-accumulator product-accumulator
   ;; hash-table
   make-hash-table hash-table hash-table-unfold alist->hash-table hash-table?
   hash-table-contains? hash-table-exists? hash-table-empty? hash-table=?
   hash-table-mutable? hash-table-ref hash-table-ref/default hash-table-set!
   hash-table-delete! hash-table-intern! hash-table-update!
   hash-table-update!/default hash-table-pop! hash-table-clear! hash-table-size
   hash-table-keys hash-table-values hash-table-entries hash-table-find
   hash-table-count hash-table-map hash-table-for-each hash-table-walk
   hash-table-map! hash-table-map->list hash-table-fold hash-table-prune!
   hash-table-copy hash-table-empty-copy hash-table->alist hash-table-union!
   hash-table-merge! hash-table-intersection! hash-table-difference!
   hash-table-xor! hash hash-by-identity hash-table-equivalence-function
   hash-table-hash-function
   ;; ilist
   iq ipair ilist xipair ipair* make-ilist ilist-tabulate ilist-copy iiota
   ipair? proper-ilist? ilist? dotted-ilist? not-ipair? null-ilist? ilist= icar
   icdr ilist-ref ifirst isecond ithird ifourth ififth isixth iseventh ieighth
   ininth itenth icaar icadr icdar icddr icaaar icaadr icadar icaddr icdaar
   icdadr icddar icdddr icaaaar icaaadr icaadar icaaddr icadaar icadadr icaddar
   icadddr icdaaar icdaadr icdadar icdaddr icddaar icddadr icdddar icddddr
   icar+icdr itake idrop ilist-tail itake-right idrop-right isplit-at ilast
   last-ipair ilength iappend iconcatenate ireverse iappend-reverse izip
   iunzip1 iunzip2 iunzip3 iunzip4 iunzip5 icount iapply imap ifor-each ifold
   iunfold ipair-fold ireduce ifold-right iunfold-right ipair-fold-right
   ireduce-right iappend-map ipair-for-each ifilter-map imap-in-order ifilter
   ipartition iremove imember imemq imemv ifind ifind-tail iany ievery
   ilist-index itake-while idrop-while ispan ibreak idelete idelete-duplicates
   iassoc iassq iassv ialist-cons ialist-delete replace-icar replace-icdr
   pair->ipair ipair->pair list->ilist ilist->list tree->itree itree->tree
   gtree->itree gtree->tree ipair-comparator ilist-comparator
   make-ilist-comparator make-improper-ilist-comparator make-ipair-comparator
   make-icar-comparator make-icdr-comparator
   ;; list-queue
   make-list-queue list-queue list-queue-copy list-queue-unfold
   list-queue-unfold-right list-queue? list-queue-empty? list-queue-front
   list-queue-back list-queue-list list-queue-first-last list-queue-add-front!
   list-queue-add-back! list-queue-remove-front! list-queue-remove-back!
   list-queue-remove-all! list-queue-set-list! list-queue-append
   list-queue-append! list-queue-concatenate list-queue-map list-queue-map!
   list-queue-for-each
   ;; list
   xcons cons* list-tabulate circular-list iota proper-list? circular-list?
   dotted-list? not-pair? null-list? list= first second third fourth fifth
   sixth seventh eighth ninth tenth car+cdr take drop take-right drop-right
   take! drop-right! split-at split-at! last last-pair length+ concatenate
   append! concatenate! reverse! append-reverse append-reverse! zip unzip1
   unzip2 unzip3 unzip4 unzip5 count fold unfold pair-fold reduce fold-right
   unfold-right pair-fold-right reduce-right append-map append-map! map!
   map-in-order pair-for-each filter-map filter partition remove filter!
   partition! remove! find find-tail any every list-index take-while drop-while
   take-while! span break span! break! delete delete-duplicates delete!
   delete-duplicates! alist-cons alist-copy alist-delete alist-delete! lset<=
   lset= lset-adjoin lset-union lset-union! lset-intersection
   lset-intersection! lset-difference lset-difference! lset-xor lset-xor!
   lset-diff+intersection lset-diff+intersection!
   ;; lseq
   generator->lseq lseq? lseq=? lseq-car lseq-first lseq-cdr lseq-rest lseq-ref
   lseq-take lseq-drop lseq-realize lseq->generator lseq-length lseq-append
   lseq-zip lseq-map lseq-for-each lseq-filter lseq-remove lseq-find
   lseq-find-tail lseq-take-while lseq-drop-while lseq-any lseq-every
   lseq-index lseq-member lseq-memq lseq-memv
   ;; rlist
   rquote rpair? rcons rcar rcdr rcaar rcadr rcdar rcddr rcaaar rcaadr rcadar
   rcaddr rcdaar rcdadr rcddar rcdddr rcaaaar rcaaadr rcaadar rcaaddr rcadaar
   rcadadr rcaddar rcadddr rcdaaar rcdaadr rcdadar rcdaddr rcddaar rcddadr
   rcdddar rcddddr rnull? rlist? rlist make-rlist rlength rlength<=? rappend
   rreverse rlist-tail rlist-ref rlist-set rlist-ref/update rmap rfor-each
   rlist->list list->rlist
   ;; set
   set set-unfold set? set-contains? set-empty? set-disjoint? set-member
   set-element-comparator set-adjoin set-adjoin! set-replace set-replace!
   set-delete set-delete! set-delete-all set-delete-all! set-search! set-size
   set-find set-count set-any? set-every? set-map set-for-each set-fold
   set-filter set-remove set-partition set-filter! set-remove! set-partition!
   set-copy set->list list->set list->set! set=? set<? set>? set<=? set>=?
   set-union set-intersection set-difference set-xor set-union!
   set-intersection! set-difference! set-xor! bag bag-unfold bag? bag-contains?
   bag-empty? bag-disjoint? bag-member bag-element-comparator bag-adjoin
   bag-adjoin! bag-replace bag-replace! bag-delete bag-delete! bag-delete-all
   bag-delete-all! bag-search! bag-size bag-find bag-count bag-any? bag-every?
   bag-map bag-for-each bag-fold bag-filter bag-remove bag-partition
   bag-filter! bag-remove! bag-partition! bag-copy bag->list list->bag
   list->bag! bag=? bag<? bag>? bag<=? bag>=? bag-union bag-intersection
   bag-difference bag-xor bag-union! bag-intersection! bag-difference! bag-xor!
   bag-sum bag-sum! bag-product bag-product! bag-unique-size bag-element-count
   bag-for-each-unique bag-fold-unique bag-increment! bag-decrement! bag->set
   set->bag set->bag! bag->alist alist->bag set-comparator bag-comparator
   ;; sort
   list-sort list-stable-sort list-sort! list-stable-sort! list-sorted?
   list-merge list-merge! list-delete-neighbor-dups list-delete-neighbor-dups!
   vector-sort vector-stable-sort vector-sort! vector-stable-sort!
   vector-sorted? vector-merge vector-merge! vector-delete-neighbor-dups
   vector-delete-neighbor-dups! vector-find-median vector-find-median!
   vector-select! vector-separate!
   ;; stream
   stream-null stream-cons stream? stream-null? stream-pair? stream-car
   stream-cdr stream-lambda define-stream list->stream port->stream stream
   stream->list stream-append stream-concat stream-constant stream-drop
   stream-drop-while stream-filter stream-fold stream-for-each stream-from
   stream-iterate stream-length stream-let stream-map stream-match stream-of
   stream-range stream-ref stream-reverse stream-scan stream-take
   stream-take-while stream-unfold stream-unfolds stream-zip
   ;; text
   text? textual? textual-null? textual-every textual-any make-text text
   text-tabulate text-unfold text-unfold-right textual->text textual->string
   textual->vector textual->list string->text vector->text list->text
   reverse-list->text textual->utf8 textual->utf16 textual->utf16be
   textual->utf16le utf8->text utf16->text utf16be->text utf16le->text
   text-length textual-length text-ref textual-ref subtext subtextual
   textual-copy textual-take textual-take-right textual-drop textual-drop-right
   textual-pad textual-pad-right textual-trim textual-trim-right
   textual-trim-both textual-replace textual=? textual<? textual>? textual<=?
   textual>=? textual-ci=? textual-ci<? textual-ci>? textual-ci<=?
   textual-ci>=? textual-prefix-length textual-suffix-length textual-prefix?
   textual-suffix? textual-index textual-index-right textual-skip
   textual-skip-right textual-contains textual-contains-right textual-upcase
   textual-downcase textual-foldcase textual-titlecase textual-append
   textual-concatenate textual-concatenate-reverse textual-join textual-fold
   textual-fold-right textual-map textual-for-each textual-map-index
   textual-for-each-index textual-count textual-filter textual-remove
   textual-replicate textual-split
   ;; vector
   vector-unfold vector-unfold-right vector-reverse-copy vector-concatenate
   vector-append-subvectors vector-empty? vector= vector-fold vector-fold-right
   vector-map! vector-count vector-cumulate vector-index vector-index-right
   vector-skip vector-skip-right vector-binary-search vector-any vector-every
   vector-partition vector-swap! vector-reverse! vector-reverse-copy!
   vector-unfold! vector-unfold-right! reverse-vector->list
   reverse-list->vector)
  (import (scheme base) (scheme case-lambda) (scheme char) (scheme complex)
          (scheme cxr) (scheme eval) (scheme file) (scheme inexact)
          (scheme lazy) (scheme load) (scheme process-context) (scheme read)
          (scheme repl) (scheme time) (scheme write) (scheme box)
          (scheme charset) (scheme comparator) (scheme ephemeron)
          (scheme generator) (scheme hash-table) (scheme ilist)
          (scheme list-queue) (scheme list) (scheme lseq) (scheme rlist)
          (scheme set) (scheme sort) (scheme stream) (scheme text)
          (scheme vector)))
