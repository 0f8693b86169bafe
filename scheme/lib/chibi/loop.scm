;;; (chibi loop), the body.
;;;
;;; (for variable ... (iterator source ...)) is expanded by the use
;;;
;;;   (iterator ((variable ...) (source ...)) next . rest)
;;;
;;; which goes on as
;;;
;;;   (next ((name value) ...)           evaluated once, before the loop
;;;         ((name init step) ...)       the loop's variables
;;;         (test ...)                   the loop ends when any is true
;;;         ((name value) ...)           bound in each round, after the tests
;;;         ((name value) ...)           bound at the end
;;;         . rest)
;;;
;;; The clauses become one named let from the last one to the first.

;;> (loop [name] (clause ...) [=> result] body ...)
;;> Loop. A clause is (for x ... (iterator source ...)), (with x init [step]),
;;> (let x value), (while test) or (until test). At the end the value is that of
;;> RESULT. With NAME, the body says where to go on: (name), or (name (=> x value)
;;> ...) with other values of some variables.
;;> (loop ((for x (in-list '(1 2 3))) (with sum 0 (+ sum x))) => sum) => 6
(define-syntax loop
  (syntax-rules ()
    ((_ (clause ...) body ...)
     (loop-clauses #f () () () () () (clause ...) body ...))
    ((_ name (clause ...) body ...)
     (loop-clauses name () () () () () (clause ...) body ...))))

;;> (for ((x ... (iterator source ...)) ...) [=> result] body ...)
;;> Loop over iterators, without for.
;;> (for ((x (in-list '(1 2))) (l (listing (* x x)))) => l) => (1 4)
(define-syntax for
  (syntax-rules ()
    ((_ ((part ...) ...) body ...)
     (loop ((for part ...) ...) body ...))))

;; NAME, what is bound before; the variables; the steps of a round: (stop-if x),
;; (let (name value) ...), in reverse; the bindings at the end.
(define-syntax loop-clauses
  (syntax-rules (for with let while until)
    ((_ name before variables steps ends () ())
     (loop-done name before variables steps ends () => #f))
    ((_ name before variables steps ends () () . body)
     (loop-body name before variables steps ends . body))
    ((_ name before variables steps ends () ((for . parts) . clauses) . body)
     (loop-for name before variables steps ends parts () clauses . body))
    ((_ name before (variable ...) steps ends () ((with x init step) . clauses)
        . body)
     (loop-clauses name before (variable ... (x init step)) steps ends ()
                   clauses . body))
    ((_ name before (variable ...) steps ends () ((with x init) . clauses) . body)
     (loop-clauses name before (variable ... (x init x)) steps ends ()
                   clauses . body))
    ((_ name before variables steps ends () ((let x value) . clauses) . body)
     (loop-clauses name before variables ((let ((x value))) . steps) ends ()
                   clauses . body))
    ((_ name before variables steps ends () ((while test) . clauses) . body)
     (loop-clauses name before variables ((stop-if (not test)) . steps) ends ()
                   clauses . body))
    ((_ name before variables steps ends () ((until test) . clauses) . body)
     (loop-clauses name before variables ((stop-if test) . steps) ends ()
                   clauses . body))))

;; The last part of (for x ... (iterator source ...)) is the iterator.
(define-syntax loop-for
  (syntax-rules ()
    ((_ name before variables steps ends ((iterator source ...)) (x ...)
        . rest)
     (iterator ((x ...) (source ...)) loop-next
               name before variables steps ends . rest))
    ((_ name before variables steps ends (x . parts) (xs ...) . rest)
     (loop-for name before variables steps ends parts (xs ... x) . rest))))

(define-syntax loop-next
  (syntax-rules ()
    ((_ (before ...) (variable ...) (test ...) bindings (end ...)
        name (befores ...) (variables ...) steps (ends ...) clauses . body)
     (loop-clauses name (befores ... before ...) (variables ... variable ...)
                   ((let bindings) (stop-if test ...) . steps)
                   (ends ... end ...) () clauses . body))))

(define-syntax loop-body
  (syntax-rules (=>)
    ((_ name before variables steps ends => result body ...)
     (loop-done name before variables steps ends (body ...) => result))
    ((_ name before variables steps ends body ...)
     (loop-done name before variables steps ends (body ...) => #f))))

(define-syntax loop-done
  (syntax-rules ()
    ((_ #f before variables steps ends (body ...) => result)
     (loop-with-end before variables steps ends result
                    again () (body ... (again))))
    ((_ name before variables steps ends (body ...) => result)
     (loop-with-end before variables steps ends result
                    name () (body ...)))))

;; The loop: its body is the steps around BODY, and there, where all that the steps
;; bind is seen, NAME is the macro that goes on.
(define-syntax loop-with-end
  (syntax-rules ()
    ((_ (before ...) ((x init step) ...) steps (end ...) result
        name () body)
     (let* (before ...)
       (let next ((x init) ...)
         (let ((finish (lambda () (let* (end ...) result))))
           (loop-steps steps finish
                       ((let-syntax
                            ((name (syntax-rules ()
                                     ((_ . changes)
                                      (loop-again next ((x step) ...)
                                                  changes)))))
                          (let () . body))))))))))

;; From the last step to the first: ACCUMULATED grows around the body.
(define-syntax loop-steps
  (syntax-rules (let stop-if)
    ((_ () finish (form ...)) (let () form ...))
    ((_ ((let bindings) . more) finish forms)
     (loop-steps more finish ((let* bindings . forms))))
    ((_ ((stop-if) . more) finish forms)
     (loop-steps more finish forms))
    ((_ ((stop-if condition ...) . more) finish forms)
     (loop-steps more finish
                 ((if (or condition ...) (finish) (let () . forms)))))))

;; Go on with each variable's step, or what (=> x value) says.
(define-syntax loop-again
  (syntax-rules (=>)
    ((_ next ((x step) ...) ())
     (next step ...))
    ((_ next ((x step) ...) ((=> y value) . changes))
     (loop-change next () ((x step) ...) y value changes))))

(define-syntax loop-change
  (syntax-rules ()
    ((_ next done () y value changes)
     (loop-again next done changes))
    ((_ next (done ...) ((x step) . more) y value changes)
     (let-syntax
         ((same? (syntax-rules (y)
                   ((same? y yes no) yes)
                   ((same? other yes no) no))))
       (same? x
              (loop-change next (done ... (x value)) more y value changes)
              (loop-change next (done ... (x step)) more y value changes))))))

;; -- iterators --------------------------------------------------------------

;;> (for x [pair] (in-list list [cdr]))
;;> X is each element of LIST, PAIR the list it begins.
(define-syntax in-list
  (syntax-rules ()
    ((_ ((x) source) next . rest)
     (in-list ((x cursor) source) next . rest))
    ((_ ((x cursor) (list)) next . rest)
     (in-list ((x cursor) (list cdr)) next . rest))
    ((_ ((x cursor) (list step)) next . rest)
     (next () ((cursor list (step cursor))) ((not (pair? cursor)))
           ((x (car cursor))) () . rest))))

;;> (for elements (in-lists lists))
;;> ELEMENTS is the list of the first elements of all lists, of the second ones, and
;;> so on, until any ends.
(define-syntax in-lists
  (syntax-rules ()
    ((_ ((x) source) next . rest)
     (in-lists ((x cursors) source) next . rest))
    ((_ ((x cursors) (lists)) next . rest)
     (next () ((cursors lists (map cdr cursors))) ((not (all-pairs? cursors)))
           ((x (map car cursors))) () . rest))))

(define (all-pairs? lists)
  (or (null? lists)
      (and (pair? (car lists)) (all-pairs? (cdr lists)))))

;; Forms for indexed things, forward and backward.
(define-syntax forward
  (syntax-rules ()
    ((_ x i ref thing start end next . rest)
     (next ((v thing) (from start) (to (or end (size v))))
           ((i from (+ i 1))) ((>= i to)) ((x (ref v i))) () . rest))))

(define-syntax backward
  (syntax-rules ()
    ((_ x i ref thing start end next . rest)
     (next ((v thing) (from start) (to (or end (size v))))
           ((i (- to 1) (- i 1))) ((< i from)) ((x (ref v i))) () . rest))))

(define (size thing)
  (if (string? thing) (string-length thing) (vector-length thing)))

;;> (for x [i] (in-vector vector [start [end]]))
;;> X is each element, I its index.
(define-syntax in-vector
  (syntax-rules ()
    ((_ ((x) source) next . rest) (in-vector ((x i) source) next . rest))
    ((_ ((x i) (v)) next . rest) (forward x i vector-ref v 0 #f next . rest))
    ((_ ((x i) (v start)) next . rest)
     (forward x i vector-ref v start #f next . rest))
    ((_ ((x i) (v start end)) next . rest)
     (forward x i vector-ref v start end next . rest))))

;;> (for x [i] (in-vector-reverse vector [start [end]]))
;;> X is each element from the last one on, I its index.
(define-syntax in-vector-reverse
  (syntax-rules ()
    ((_ ((x) source) next . rest) (in-vector-reverse ((x i) source) next . rest))
    ((_ ((x i) (v)) next . rest) (backward x i vector-ref v 0 #f next . rest))
    ((_ ((x i) (v start)) next . rest)
     (backward x i vector-ref v start #f next . rest))
    ((_ ((x i) (v start end)) next . rest)
     (backward x i vector-ref v start end next . rest))))

;;> (for x [i] (in-string string [start [end]]))
;;> X is each character, I its index.
(define-syntax in-string
  (syntax-rules ()
    ((_ ((x) source) next . rest) (in-string ((x i) source) next . rest))
    ((_ ((x i) (s)) next . rest) (forward x i string-ref s 0 #f next . rest))
    ((_ ((x i) (s start)) next . rest)
     (forward x i string-ref s start #f next . rest))
    ((_ ((x i) (s start end)) next . rest)
     (forward x i string-ref s start end next . rest))))

;;> (for x [i] (in-string-reverse string [start [end]]))
;;> X is each character from the last one on, I its index.
(define-syntax in-string-reverse
  (syntax-rules ()
    ((_ ((x) source) next . rest) (in-string-reverse ((x i) source) next . rest))
    ((_ ((x i) (s)) next . rest) (backward x i string-ref s 0 #f next . rest))
    ((_ ((x i) (s start)) next . rest)
     (backward x i string-ref s start #f next . rest))
    ((_ ((x i) (s start end)) next . rest)
     (backward x i string-ref s start end next . rest))))

;;> (for x (in-substrings k string))
;;> X is each part of K characters that STRING has.
(define-syntax in-substrings
  (syntax-rules ()
    ((_ ((x) (k string)) next . rest)
     (next ((s string) (n k) (last (- (string-length s) n)))
           ((i 0 (+ i 1))) ((> i last)) ((x (substring s i (+ i n)))) ()
           . rest))))

;;> (for x (in-port [port [read]]))
;;> X is what READ, at first read, gives until the end.
(define-syntax in-port
  (syntax-rules ()
    ((_ ((x) ()) next . rest)
     (in-port ((x) ((current-input-port))) next . rest))
    ((_ ((x) (port)) next . rest) (in-port ((x) (port read)) next . rest))
    ((_ ((x) (port reader)) next . rest)
     (next ((p port) (r reader)) ((item (r p) (r p))) ((eof-object? item))
           ((x item)) () . rest))))

;;> (for x (in-file path [read]))
;;> X is what READ, at first read, gives of a file.
(define-syntax in-file
  (syntax-rules ()
    ((_ ((x) (path)) next . rest) (in-file ((x) (path read)) next . rest))
    ((_ ((x) (path reader)) next . rest)
     (next ((p (open-input-file path)) (r reader))
           ((item (r p) (r p)))
           ((and (eof-object? item) (begin (close-input-port p) #t)))
           ((x item)) () . rest))))

;;> (for key value (in-hash-table table))
;;> KEY and VALUE are those of each entry.
(define-syntax in-hash-table
  (syntax-rules ()
    ((_ ((key value) (table)) next . rest)
     (next () ((entries (hash-table->alist table) (cdr entries)))
           ((null? entries))
           ((key (caar entries)) (value (cdar entries))) () . rest))))

;;> (for i (up-from start [(to end)] [(by step)]))
;;> I counts up from START, below END.
(define-syntax up-from
  (syntax-rules (to by)
    ((_ ((i) (start)) next . rest) (up-from ((i) (start (by 1))) next . rest))
    ((_ ((i) (start (to end))) next . rest)
     (up-from ((i) (start (to end) (by 1))) next . rest))
    ((_ ((i) (start (to end) (by step))) next . rest)
     (next ((stop end) (d step)) ((i start (+ i d))) ((>= i stop)) () () . rest))
    ((_ ((i) (start (by step))) next . rest)
     (next ((d step)) ((i start (+ i d))) () () () . rest))))

;;> (for i (down-from start [(to end)] [(by step)]))
;;> I counts down from below START, to END.
(define-syntax down-from
  (syntax-rules (to by)
    ((_ ((i) (start)) next . rest) (down-from ((i) (start (by 1))) next . rest))
    ((_ ((i) (start (to end))) next . rest)
     (down-from ((i) (start (to end) (by 1))) next . rest))
    ((_ ((i) (start (to end) (by step))) next . rest)
     (next ((stop end) (d step)) ((i (- start d) (- i d))) ((< i stop)) () ()
           . rest))
    ((_ ((i) (start (by step))) next . rest)
     (next ((d step)) ((i (- start d) (- i d))) () () () . rest))))

;; -- accumulators -----------------------------------------------------------

;; X is folded by (kons value out) from INIT; at the end it is (finish out).
(define-syntax accumulating
  (syntax-rules (initial if)
    ((_ (kons finish init) ((x) source) next . rest)
     (accumulating (kons finish init) ((x out) source) next . rest))
    ((_ (kons finish init) ((x out) ((initial start) . source)) next . rest)
     (accumulating (kons finish start) ((x out) source) next . rest))
    ((_ (kons finish init) ((x out) (value (if test))) next . rest)
     (next () ((out init (if test (kons value out) out))) () ()
           ((x (finish out))) . rest))
    ((_ (kons finish init) ((x out) (value)) next . rest)
     (next () ((out init (kons value out))) () () ((x (finish out)))
           . rest))))

(define (same object) object)
(define (reverse-append list out) (append (reverse list) out))

;;> (for x (listing value [(if test)]))
;;> At the end X is the list of the values.
(define-syntax listing
  (syntax-rules ()
    ((_ . rest) (accumulating (cons reverse '()) . rest))))

;;> (for x (collecting value [(if test)]))
;;> The same as listing.
(define-syntax collecting
  (syntax-rules ()
    ((_ . rest) (accumulating (cons reverse '()) . rest))))

;;> (for x (listing-reverse value [(if test)]))
;;> At the end X is the list of the values, the last one first.
(define-syntax listing-reverse
  (syntax-rules ()
    ((_ . rest) (accumulating (cons same '()) . rest))))

;;> (for x (appending list [(if test)]))
;;> At the end X is the list of the elements of all lists.
(define-syntax appending
  (syntax-rules ()
    ((_ . rest) (accumulating (reverse-append reverse '()) . rest))))

;;> (for x (appending-reverse list [(if test)]))
;;> At the end X is the list of the elements of all lists, in reverse.
(define-syntax appending-reverse
  (syntax-rules ()
    ((_ . rest) (accumulating (reverse-append same '()) . rest))))

;;> (for x (summing value [(if test)]))
;;> At the end X is the sum of the values.
(define-syntax summing
  (syntax-rules ()
    ((_ . rest) (accumulating (+ same 0) . rest))))

;;> (for x (multiplying value [(if test)]))
;;> At the end X is the product of the values.
(define-syntax multiplying
  (syntax-rules ()
    ((_ . rest) (accumulating (* same 1) . rest))))
