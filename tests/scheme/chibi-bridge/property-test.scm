(import (scheme base) (scheme process-context) (chibi-bridge test)
        (chibi-bridge property))

(define-property sums-grow (for-all (x natural) (y natural))
  (>= (+ x y) x))

(define-property nested (for-all ((x integer?)) (integer? x)))

(define-property wrong (for-all (x integer?)) (< x 10))

(define-property raising (for-all (x (vector-of integer?))) (vector-ref x 0))

(define-property conditional
  (for-all (x integer?))
  (implies (> x 0) (positive? x)))

(define (find-property name)
  (let loop ((rest (%properties)))
    (if (string=? (%property-name (car rest)) name) (car rest)
        (loop (cdr rest)))))

(define (check name . raw)
  (%check-property (find-property name) raw))

(define-property shapes
  (for-all (a (one-of 'x 'y)) (b (choice integer? (string-of "ab" 1 3)))
           (c (pair-of boolean? char?)) (d (optional-of symbol?))
           (e (list-of (map-of number->string natural) 0 4))
           (f (such-that odd? (integer-between 1 9)))
           (g (real-between 0 1)) (h (arguments-of "t")) (i json-value)
           (j any-datum) (k (constant "c")))
  #t)

(test-begin "property")

(test '("sums-grow" "nested" "wrong" "raising" "conditional" "shapes")
      (map %property-name (%properties)))
(test '("x" "y") (%property-variables (find-property "sums-grow")))
(test '((integer 0 #f) (integer 0 #f))
      (%property-specs (find-property "sums-grow")))
(test '(holds ("3" "4") #f) (check "sums-grow" 3 4))
(test '(holds ("3") #f) (check "nested" 3))
(test '(fails ("10") #f) (check "wrong" 10))
(test '(rejected ("-1") #f) (check "conditional" -1))
(test '(holds ("1") #f) (check "conditional" 1))
(let ((came (check "raising" '())))
  (test 'raised (car came))
  (test '("#()") (cadr came))
  (test-assert (error-object? (list-ref came 2))))

(test '((integer 0 1)
        (choice (integer) (string-of "ab" 1 3))
        (tuple (boolean) (char))
        (choice (integer 0 0) (symbol))
        (list (integer 0 #f) 0 4)
        (integer 1 9)
        (real 0.0 1.0)
        (arguments "t")
        (json)
        (datum)
        (integer 0 0))
      (%property-specs (find-property "shapes")))
(test '(holds ("y" "\"ab\"" "(#t . #\\a)" "#f" "(\"1\" \"2\")" "3" "0.5"
               "()" "null" "z" "\"c\"")
              #f)
      (check "shapes" 1 '(1 "ab") '(#t #\a) '(0 0) '(1 2) 3 0.5 '() 'null 'z 0))
(test '(rejected () #f)
      (check "shapes" 1 '(1 "ab") '(#t #\a) '(0 0) '(1 2) 4 0.5 '() 'null 'z 0))

(test-error (list-of 5))
(test-error (list-of even?))
(test-error (integer-between 2 1))
(test-error (string-of ""))
(test-error (one-of))
(test-error (list-of integer? 3 2))
(test-error (run-tool "none" '()))
(%tool-finder! (lambda (name) (and (string=? name "twice")
                                   (lambda (args) (* 2 (cdr (car args)))))))
(test 6 (run-tool "twice" '(("x" . 3))))
(test-error (run-tool "thrice" '()))

(test-end)
(test-exit)
