;; Pattern matching: match, match-lambda, match-let and relatives, by
;; syntax-rules. Own writing; the pattern language is that of (chibi match):
;;
;;   _                     anything
;;   name                  anything, and binds it; a second time: equal? to it
;;   literal  'datum       what is equal? to it
;;   (p . q)  #(p ...)     pairs, lists, vectors of fixed length
;;   (p ... q ...)         p any number of times, then what follows; also ___
;;   (p ..1)  (p **1)      at least once
;;   (p =.. n)             exactly n times
;;   (p *.. n m)           n to m times
;;   (p *** q)             a tree that has q at the end of a path of heads p
;;   (and p ...) (or p ...) (not p ...)
;;   (? predicate p ...)   what satisfies the predicate and all patterns
;;   (= procedure p)       matches the value of (procedure x)
;;   ($ type p ...)        a record, its fields in order; also struct
;;   (@ type (field p) ...) a record, fields by name; also object
;;   (get! name) (set! name) a procedure that reads or changes this place
;;   `(a ,p ,@p)           quasi-patterns, with ... as well
;;
;; A clause is (pattern body ...) or (pattern (=> failure) body ...), where
;; (failure) goes on with the next clause. In ($ type ...) and (@ type ...) TYPE
;; is the name of a record type or a predicate of records.
(define-library (chibi match)
  (export match match-lambda match-lambda* match-let match-let* match-letrec)
  (import (scheme base)
          (only (%core) %record? %record-type %record-type?
                %record-type-fields %record-ref %record-set!))
  (include "match.scm"))
