;;; (srfi 146 hamt-misc), the body.

;;> (assert expression)
;;> An error where EXPRESSION is false. (assert (= 1 1)) => #t
(define-syntax assert
  (syntax-rules ()
    ((_ expression)
     (or expression (error "assertion failed" 'expression)))))

;;> (do-list (variable list [result]) body ...)
;;> Do BODY for each item of LIST; the value is RESULT.
;;> (let ((sum 0)) (do-list (x '(1 2) sum) (set! sum (+ sum x)))) => 3
(define-syntax do-list
  (syntax-rules ()
    ((_ (variable list) body ...)
     (for-each (lambda (variable) body ...) list))
    ((_ (variable list result) body ...)
     (begin
       (for-each (lambda (variable) body ...) list)
       result))))

;;> (make-string-hash-table)
;;> Return a new hash table with strings as keys.
(define (make-string-hash-table)
  (make-hash-table (make-comparator string? string=? string<? string-hash)))

;;> (with-output-to-string thunk)
;;> Return what THUNK writes. (with-output-to-string (lambda () (write-char #\a))) => "a"
(define (with-output-to-string thunk)
  (let ((out (open-output-string)))
    (parameterize ((current-output-port out)) (thunk))
    (get-output-string out)))
