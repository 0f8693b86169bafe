;;; (chibi parse).
(import (scheme base) (scheme char) (srfi 14) (chibi parse) (chibi parse common) (chibi-bridge test))

(define a (parse-char #\a))
(define b (parse-char #\b))

(test-begin "parse")

(test-group "single"
  (test '(#t #f #\a #f #f) (list (parse parse-epsilon "") (parse parse-anything "") (parse parse-anything "ab")
                                 (parse parse-nothing "a") (parse a "b")))
  (test #t (parse-fully parse-epsilon ""))
  (test-error (parse-fully parse-epsilon "a"))
  (test-error (parse-fully a "ab"))
  (test-error (parse-fully a ""))
  (test '((#\a #\b) #f #f) (map (lambda (t) (parse (parse-seq a b) t)) '("abc" "a" "b")))
  (test '(#\a #\b #f) (map (lambda (t) (parse (parse-or a b) t)) '("a" "b" "")))
  (test '(#t #f) (list (parse (parse-not a) "b") (parse (parse-not a) "a")))
  (test '(#\a #f) (list (parse (parse-and (parse-seq a b) parse-anything) "ab") (parse (parse-and b a) "ab")))
  (test '(() (#\a #\a) (#\a #\a) #f) (list (parse (parse-repeat a) "b") (parse (parse-repeat a) "aab")
                                     (parse (parse-repeat a 1 2) "aaa") (parse (parse-repeat a 2) "a")))
  (test '((#\a) #f) (list (parse (parse-repeat+ a) "a") (parse (parse-repeat+ a) "")))
  (test '(#\a #f none) (list (parse (parse-optional a) "a") (parse (parse-optional a) "") (parse (parse-optional a 'none) "")))
  (test '((#\a) "ab" ("ab")) (list (parse (parse-map a list) "a") (parse (parse-map-substring (parse-seq a b)) "abc")
                                 (parse (parse-map-substring (parse-seq a b) list) "abc")))
  (test '((#\a) ()) (list (parse (parse-seq a (parse-ignore b)) "ab") (parse (parse-repeat (parse-ignore a)) "aa")))
  (test '(#\1 #f) (map (lambda (t) (parse (parse-assert parse-anything char-numeric?) t)) '("1" "x")))
  ;; backtracking, and none
  (test '((#\a) #\a #t) (parse (parse-seq (parse-repeat a) a parse-end) "aa"))
  (test #f (parse (parse-seq (parse-atomic (parse-repeat a)) a) "aa"))
  (test '(#f #\b) (list (parse (parse-or (parse-seq (parse-commit a) b) a) "aa")
                    (parse (parse-or (parse-seq (parse-commit a) b) b) "b")))
  (test '(#\a #\a) (let ((m (parse-memoize 'a a))) (parse (parse-or (parse-seq m b) (parse-seq m a)) "aa")))
  (test '("why" 0) (call-with-parse (parse-with-failure-reason a "why") "b" 0 (lambda (r s i fk) r)
                                    (lambda (s i reason) (list reason i))))
  (test '(#\b 2) (call-with-parse b "ab" 1 (lambda (r s i fk) (list r i)))))

(test-group "characters"
  (test '(#\1 #\x #\b #\d) (list (parse (parse-char char-numeric?) "1") (parse (parse-char (char-set #\x)) "x")
                             (parse (parse-not-char #\a) "b") (parse (parse-char-pred char-alphabetic?) "d")))
  (test '("ab" #f) (list (parse (parse-string "ab") "abc") (parse (parse-string "ab") "a")))
  (test "12" (parse (parse-token char-numeric?) "12a"))
  (test '("a" ("b" "b")) (parse (parse-sre '(: "a" (* "b"))) "abb"))
  (test '("x" (#\y) #f ("z" "z") ("w")) (parse (parse-sre `(: (or "v" "x") (+ #\y) (? "q") (= 2 "z") (** 1 2 "w"))) "xyzzw"))
  (test '("u" "u") (parse (parse-sre '(>= 2 "u")) "uu"))
  (test-error (parse-sre '(what "u")))
  (test-error (parse-char 1)))

(test-group "places"
  (test '(#t #f #t #f) (list (parse parse-beginning "a") (parse parse-beginning "a" 1) (parse parse-end "a" 1) (parse parse-end "a")))
  (test '(#t #t #f) (map (lambda (i) (parse parse-beginning-of-line "a\nb" i)) '(0 2 1)))
  (test '(#t #t #f) (map (lambda (i) (parse parse-end-of-line "a\nb" i)) '(1 3 0)))
  (test '(#t #f #t) (map (lambda (i) (parse parse-beginning-of-word "ab c" i)) '(0 1 3)))
  (test '(#f #t #t) (map (lambda (i) (parse parse-end-of-word "ab c" i)) '(1 2 4)))
  (test '("ab" #f "ab" "ab") (list (parse (parse-word) "ab c") (parse (parse-word "a") "ab") (parse (parse-word "ab") "ab")
                               (parse (parse-word+ char-alphabetic?) "ab c"))))

(test-group "streams"
  (let ((s (string->parse-stream "abc")))
    (test '(#\b #t #t #f #t "bc") (list (parse-stream-ref s 1) (eof-object? (parse-stream-ref s 3)) (parse-stream-start? s 0)
                                  (parse-stream-start? s 1) (parse-stream-end? s 3) (parse-stream-substring s 1 s 3)))
    (test #\a (parse a s)))
  (test '(#\a #\a #\a) (list (parse a (open-input-string "a")) (parse a '(#\a)) (parse a (make-parse-stream "f" "a"))))
  (test-error (parse a 1))
  (test-error (file->parse-stream "no-such-file"))
  (test '((#\a #\a) (#\a #\a) 2) (list (parse->list a "aab") (parse-fully->list a "aa") (parse-fold a (lambda (r n) (+ n 1)) 0 "aab")))
  (test-error (parse-fully->list a "aab")))

(test-group "grammars"
  (define-grammar calc
    (space ((* ,char-set:whitespace)))
    (number ((=> n (+ ,char-set:digit)) (string->number (list->string n))))
    (simple ((=> n ,number) n)
            ((: "(" (=> e1 ,term) ")") e1))
    (term-op ("*" *) ("/" /) ("%" modulo))
    (term ((: (=> e1 ,simple) ,space (=> op ,term-op) ,space (=> e2 ,term)) (op e1 e2))
          ((=> e1 ,simple) e1)))
  (test '(88 42 42 24) (map (lambda (t) (parse term t)) '("4*22" "42" "42*" "2*(3*4)")))
  (define calculator
    (grammar expr
      (space ((: ,char-set:whitespace ,space)) (() #f))
      (digit ((=> d ,char-set:digit) d))
      (number ((=> n (+ ,digit)) (string->number (list->string n))))
      (simple ((=> n ,number) n) ((: "(" (=> e1 ,expr) ")") e1))
      (term-op ("*" *) ("/" /) ("%" modulo))
      (term ((: (=> e1 ,simple) ,space (=> op ,term-op) ,space (=> e2 ,term)) (op e1 e2))
            ((=> e1 ,simple) e1))
      (expr-op ("+" +) ("-" -))
      (expr ((: ,space (=> e1 ,term) ,space (=> op ,expr-op) ,space (=> e2 ,expr)) (op e1 e2))
            ((: ,space (=> e1 ,term)) e1))))
  (test '(42 4 23 25 41) (map (lambda (t) (parse calculator t))
                              '("42" "2 + 2" "2 + 2*10 + 1" "2+2 * 10+1 * 3" "(2 + 2) * 10 + 1")))
  (define prec-calc
    (grammar expr
      (simple (,(parse-integer)) ((: "(" (=> e1 ,expr) ")") e1))
      (op ("+" '+) ("-" '-) ("*" '*) ("/" '/) ("^" '^))
      (expr (,(parse-binary-op op '((+ 5) (- 5) (* 3) (/ 3) (^ 1 right)) simple)))))
  (test '(42 (+ 2 2) (+ (+ 2 (* 2 10)) 1) (+ (* (+ 2 2) 10) 1) (^ 2 (^ 2 2)) (- (- 3 2) 1))
        (map (lambda (t) (parse prec-calc t)) '("42" "2 + 2" "2 + 2*10 + 1" "(2 + 2) * 10 + 1" "2 ^ 2 ^ 2" "3-2-1")))
  (test '(+ (+ (+ 1 (* (* 2 (^ 3 (^ 4 5))) 6)) (^ 7 8)) 9) (parse prec-calc "1 + 2 * 3 ^ 4 ^ 5 * 6 + 7 ^ 8 + 9"))
  ;; exponential without memoization
  (define explode
    (grammar start
      (start ((: ,S eos) #t))
      (S ((+ ,A) #t))
      (A ((: "a" ,S "b") #t) ((: "a" ,S "c") #t) ((: "a") #t))))
  (test '(#t #f #t) (map (lambda (t) (parse explode t)) (list "aaabb" "bbaa" (string-append (make-string 10 #\a) (make-string 8 #\c)))))
  (define-grammar/unmemoized small (ab ((: (=> x (or "a" "b")) (! "z") (? "y")) x)))
  (test '("a" #f) (list (parse ab "ay") (parse ab "az")))
  (test '((#\a) x) (parse (grammar/unmemoized s (s ((: (=> l (* ,a)) "x") (list l 'x)))) "ax")))

(test-end)
(test-exit)
