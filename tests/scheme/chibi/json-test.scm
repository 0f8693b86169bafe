;;; (chibi json).
(import (scheme base) (chibi json) (chibi-bridge test))

(define (in text) (open-input-string text))

(test-begin "chibi json")

(test '(1 1.5 1000.0 1500.0 null #t #f -3)
      (map string->json '("1" "1.5" "1e3" "1.5E3" "null" " true " "false" "-3")))
(test #t (exact? (string->json "12345678901234567890")))
(test '((null . 3)) (string->json "{\"null\": 3}"))
(test '((foo . "a \"b\" c")) (string->json "{\"foo\": \"a \\\"b\\\" c\"}"))
(test '("á" "𐐷" "\b\x0c;\n\r\t/")
      (map string->json '("\"\\u00e1\"" "\"\\uD801\\uDC37\""
                          "\"\\b\\f\\n\\r\\t\\/\"")))
(test '((a (b . #(1 ((c . #()))))) (d))
      (parse-json "{\"a\": {\"b\": [1, {\"c\": []}]}, \"d\": {}}"))
(for-each (lambda (text) (test-error text (string->json text)))
          '("" "01" "1." "[1,]" "{\"a\":1,}" "{a:1}" "tru" "\"\\ud800\"" "\"\\u12\""
            "\"a" "\"\n\"" "1 2" "1e400" "\"\\u+123\"" "{\"a\" 1}" "[1 2]"))
(test '(1 #(2) #t) (let* ((p (in "1 [2] ")) (a (json-read p)) (b (json-read p)))
                     (list a b (eof-object? (json-read p)))))

(define-record-type Employee (make-employee name id) employee?
  (name employee-name) (id employee-id))
(define-record-type Team (make-team name lead devs) team?
  (name team-name) (lead team-lead) (devs team-devs))
(define read-employee (make-json-reader Employee))
(define read-team
  (make-json-reader `(,Team (lead . ,Employee) (name . ,string?)
                            (devs . #(,Employee)))))
(let ((e (read-employee (in "{\"name\": \"Bob\", \"id\": 3}"))))
  (test '(#t "Bob" 3) (list (employee? e) (employee-name e) (employee-id e))))
(test #t (employee? (read-employee (in "{\"unknown\": 1}"))))
(test-error ((make-json-reader Employee #t) (in "{\"unknown\": 1}")))
(test-error (read-team (in "{\"name\": 3}")))
(test-error (read-employee (in "[1]")))
(let ((t (read-team (in "{\"name\": \"T\", \"lead\": {\"name\": \"H\"},
                          \"devs\": [{\"name\": \"C\", \"id\": 7}]}"))))
  (test '("T" "H" 1 7)
        (list (team-name t) (employee-name (team-lead t))
              (vector-length (team-devs t))
              (employee-id (vector-ref (team-devs t) 0)))))
(test '((a . "x") (b . 1))
      ((make-json-reader `((a . ,string?))) (in "{\"a\": \"x\", \"b\": 1}")))
(test-error ((make-json-reader `((a . ,string?)) #t) (in "{\"b\": 1}")))
(test #t (eof-object? (read-employee (in " "))))

(test '("1" "1.5" "1000" "null" "true" "false")
      (map json->string '(1 1.5 1e3 null #t #f)))
(test "{\"foo\":\"a \\\"b\\\" c\",\"k\":{}}"
      (json->string '((foo . "a \"b\" c") ("k"))))
(test '("\"\\u00E1\"" "\"\\uD801\\uDC37\"" "\"\\n\\t\\u0001\"")
      (map json->string '("á" "𐐷" "\n\t\x1;")))
(test "[1,[],{\"a\":2}]" (unparse-json '#(1 #() ((a . 2)))))
(test "[1]" (let ((out (open-output-string)))
              (json-write #(1) out)
              (get-output-string out)))
(for-each (lambda (value) (test-error (json->string value)))
          (list (/ 0. 0.) '(1 . 2) '(1 2) #\a car))

(test-end)
(test-exit)
