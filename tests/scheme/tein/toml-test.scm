;;; (tein toml).
(import (scheme base) (tein toml) (chibi-bridge test))

(define (again alist) (toml-parse (toml-stringify alist)))
(define (value text) (cdar (toml-parse (string-append "x = " text))))

(test-begin "toml")

(test '() (toml-parse " # nothing\n\r\n"))
(test '(("server" ("host" . "localhost") ("port" . 8080)))
      (toml-parse "[server]\nhost = \"localhost\"\nport = 8080"))
(test '(1 -17 0 1000 255 8 5 9223372036854775808)
      (map value '("1" "-17" "+0" "1_000" "0xFf" "0o10" "0b1_01"
                   "9223372036854775808")))
(test '(1.5 -0.01 5e22 1000.5 +inf.0 -inf.0 #t)
      (append (map value '("1.5" "-0.01" "5e+22" "1_000.5" "inf" "-inf"))
              (list (let ((n (value "nan"))) (not (= n n))))))
(test '(#t #f) (map value '("true" "false")))
(test '("a\tb\"\x1F600;\x1b;A" "C:\\n" "one\ntwo" "a b" "'x'" "\"\"q\"\"")
      (map value '("\"a\\tb\\\"\\U0001F600\\e\\x41\"" "'C:\\n'"
                   "\"\"\"\none\ntwo\"\"\"" "\"\"\"a \\\n   \n  b\"\"\""
                   "\"'x'\"" "\"\"\"\"\"q\"\"\"\"\"")))
(test "a\\b'" (value "'''a\\b''''"))
(test '("1979-05-27T07:32:00Z" "1979-05-27T00:32:00.999-07:00"
        "1979-05-27T07:32:00" "1979-05-27" "07:32:00" "07:32:01.5")
      (map (lambda (text) (cadr (value text)))
           '("1979-05-27 07:32:00z" "1979-05-27T00:32:00.999-07:00"
             "1979-05-27T07:32" "1979-05-27" "07:32" "07:32:01.5")))
(test '(1 (2 "a") ()) (value "[ 1, # one\n [2, \"a\"],\n [], ]"))
(test '(("a" . 1) ("b" ("c" . 2))) (value "{ b.c = 2,\n a = 1, }"))
(test '(("a b" ("c" . 1) ("d" . 2)) ("z" . 0))
      (toml-parse "z = 0\n\"a b\".d = 2\n'a b'.c = 1"))
(test '(("a" (("x" . 1) ("y" (("z" . 2)) (("z" . 3)))) (("x" . 4))))
      (toml-parse
       "[[a]]\nx = 1\n[[a.y]]\nz = 2\n[[a.y]]\nz = 3\n[[a]]\nx = 4"))
(test '(("a" ("b" ("c" . 1)) ("d" . 2)))
      (toml-parse "[a.b]\nc = 1\n[a]\nd = 2"))
(for-each
 (lambda (text) (test-error text (toml-parse text)))
 '("a" "a =" "= 1" "a = 1 b = 2" "a = 1\na = 2" "a.b = 1\na = 2" "a = 01" "a = 1__0"
   "a = _1" "a = 1." "a = .5" "a = 1e" "a = 0x" "a = +0x1" "a = tru" "a = 'x"
   "a = \"x\ny\"" "a = \"\\q\"" "a = \"\\uD800\"" "a = [1 2]" "a = [" "a = {b = 1"
   "a = {,}" "[a]\n[a]" "[a" "[]" "[[a]]\n[a]" "a = []\n[[a]]" "a = {b = 1}\n[a.c]"
   "a = {b = 1}\na.c = 2" "[a.b]\n[a]\nb.c = 1" "a.b = 1\n[a]" "a = 2021-02-29"
   "a = 24:00:00" "a = 1979-05-27T" "a = \"\x1;\"" "a.b.c = 1\na.b = 2" "a = nul"))
(test-error (toml-parse 'a))
(test "toml-parse: expected a value at line 2 column 5"
      (guard (e (#t (error-object-message e))) (toml-parse "a = 1\nb = ?")))

(test "a = 1\nb = [true, \"x\\n\", 1.5]\n\n[c]\nd = []\n\n[c.e]\nf = 1979-05-27\n"
      (toml-stringify '(("c" ("e" ("f" toml-datetime "1979-05-27")) ("d"))
                        ("b" #t "x\n" 1.5)
                        ("a" . 1))))
(test "[[t]]\nx = 1\n\n[[t]]\nx = 2\n"
      (toml-stringify '(("t" (("x" . 1)) (("x" . 2))))))
(test "[a.b]\nc = 1\n" (toml-stringify '(("a" ("b" ("c" . 1))))))
(test "a = [{ b = 1 }, 2]\n" (toml-stringify '(("a" (("b" . 1)) 2))))
(test "\"\" = inf\n\"a b\" = nan\n"
      (toml-stringify (list (cons "a b" +nan.0) (cons "" +inf.0))))
(test "a = 2\n" (toml-stringify '(("a" . 1) ("a" . 2))))
(let ((alist '(("a" . "q\"\\\x7f;\x1;") ("b" 1 (2 3)) ("c" ("d" . -1.5e-7)))))
  (test alist (again alist)))
(for-each
 (lambda (value) (test-error (toml-stringify value)))
 (list 42 '() '((a . 1)) '(("a" . b)) '(("a" . #\c)) '(("a" . 1/2)) '(("a" 1 . 2))
       '(("a" toml-datetime "yesterday")) '(("a" toml-datetime "07:32:00" 1))
       (list (cons "a" car))
       (let ((l (list 1))) (set-cdr! l (list l)) (list (cons "a" l)))))

(test-end)
(test-exit)
