;;; (tein json).
(import (scheme base) (tein json) (chibi-bridge test))

(define (round-trip text) (json-stringify (json-parse text)))

(test-begin "json")

(test '(("a" 1 null) ("b" . #t)) (json-parse "{\"a\": [1, null], \"b\":true}"))
(test '() (json-parse "{}"))
(test '() (json-parse " [ ] "))
(test '(("b" . 2) ("a" . 3)) (json-parse "{\"b\":2,\"a\":1,\"a\":3}"))
(test 123456789012345678901234567890
      (json-parse "123456789012345678901234567890"))
(test -1.5e3 (json-parse "-1.5E+3"))
(test "\x1F600;\"\\/\b\x0c;\n\r\té" (json-parse
  "\"\\uD83D\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\""))
(for-each
 (lambda (text) (test-error text (json-parse text)))
 '("" "01" "1." ".5" "+1" "[1,]" "{\"a\":1,}" "{a:1}" "'a'" "tru" "nulll"
   "\"\\ud800\"" "\"\\u12\"" "\"a" "\"\n\"" "1 2" "1e400" "NaN" "[1 2]" "-"))
(test-error (json-parse 'a))
(test "[1,2.5,\"x\",true,false,null]"
      (json-stringify '(1 2.5 "x" #t #f null)))
(test "{\"k\":[1,2],\"o\":{\"a\":1},\"e\":[]}"
      (json-stringify '(("k" . (1 2)) (o . (("a" . 1))) ("e" . ()))))
(test "[1,[]]" (json-stringify '#(1 #())))
(test "{}" (json-stringify (json-object)))
(test "{\"a\":{}}" (json-stringify (json-object 'a (json-object))))
(test "\"\\u0001\\u001f\\n\\\"\"" (json-stringify "\x1;\x1f;\n\""))
(test "null" (json-stringify (/ 0. 0.)))
(test-error (json-stringify 1/2))
(test-error (json-stringify 'foo))
(test-error (json-stringify '(1 . 2)))
(test-error (json-stringify #\a))
(test-error (json-stringify car))
(test-error (json-object 'a))

;; What is wrong, and where.
(define (complaint text)
  (guard (e (#t (error-object-message e))) (json-parse text)))
(test "json-parse: expected , or ] in an array at line 2 column 5 (offset 7)"
      (complaint "[1\n, 2 3]"))
(test "json-parse: trailing characters behind the value at line 1 column 3 (offset 2)"
      (complaint "1 2"))
(test "json-parse: unexpected end of the text at line 1 column 1 (offset 0)"
      (complaint ""))
(test "json-parse: expected string argument" (complaint 42))

;; Data that hold themselves; data that are shared or deep.
(let ((items (list 1 2)) (entry (list "a")) (nest (vector 0)))
  (set-cdr! (cdr items) items)
  (set-cdr! entry (list entry))
  (vector-set! nest 0 (list (vector nest)))
  (test-error (json-stringify items))
  (test-error (json-stringify entry))
  (test-error (json-stringify nest)))
(let* ((shared '(1)) (twice (list shared shared)))
  (test "[[1],[1]]" (json-stringify twice))
  (test "[[[1],[1]],[[1],[1]]]" (json-stringify (list twice twice))))
(let* ((deep (string-append (make-string 20000 #\[) (make-string 20000 #\]))))
  (test #t (string=? deep (round-trip deep))))

;; More keys than a few, keys that occur twice among them.
(let* ((count 300)
       (text (let loop ((i 0) (out ""))
               (if (= i count)
                   (string-append "{" out "\"k7\":\"again\"}")
                   (loop (+ i 1)
                         (string-append out "\"k" (number->string i) "\":"
                                        (number->string i) ",")))))
       (value (json-parse text)))
  (test count (length value))
  (test "again" (cdr (assoc "k7" value)))
  (test '("k8" . 8) (list-ref value 8))
  (test #t (equal? value (json-parse (json-stringify value)))))

;; Keys that come again are the same text, whether they are constants or not.
(test '((("id" . 1) ("x y" . 2)) (("id" . 3) ("x y" . 4)) (("id" . 5) ("xzy" . 6)))
      (json-parse "[{\"id\":1,\"x y\":2},{\"id\":3,\"x\\u0020y\":4},
                   {\"id\":5,\"xzy\":6}]"))
(test '("k" "k") (map caar (json-parse "[{\"k\":1},{\"k\":2}]")))

;; Numbers.
(test '(123456789012345678 -1152921504606846976 1152921504606846976)
      (json-parse "[123456789012345678,-1152921504606846976,1152921504606846976]"))
(test '(1.0 -0.0 0.1 1e22 1e23 5e-324 1.7976931348623157e308)
      (json-parse "[1.0,-0,0.1,1e22,1E23,4.9e-324,17976931348623157e292]"))
(test (expt 2 100) (json-parse (json-stringify (expt 2 100))))
(test 0.1 (json-parse "0.1000000000000000055511151231257827021181583404541015625"))
(test "λ\x1F600;" (json-parse "\"λ\\ud83d\\uDE00\""))
(test "\"λ\x1F600;\x7f;\"" (json-stringify "λ\x1F600;\x7f;"))
(test 5000 (string-length (json-parse (json-stringify (make-string 5000 #\λ)))))

(test "{\"a\":[1,{\"b\":null}]}" (round-trip "{ \"a\" : [1, {\"b\": null}] }"))

(test-end)
(test-exit)
