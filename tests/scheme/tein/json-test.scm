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
(test "0.5" (json-stringify 1/2))
(test-error (json-stringify 'foo))
(test-error (json-stringify '(1 . 2)))
(test-error (json-stringify #\a))
(test-error (json-stringify car))
(test "{\"a\":[1,{\"b\":null}]}" (round-trip "{ \"a\" : [1, {\"b\": null}] }"))

(test-end)
(test-exit)
