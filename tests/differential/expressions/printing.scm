'a
'|a b|
'||
'|A|
'(|1| |-| |+1| |a.b| |.| |...| + - ... ->x)
'(|a\|b| |x\ny|)
(string->symbol "has;semi")
(string->symbol "(")
"plain"
"uni λ 日本"
'(1 . 2)
'(1 2 . 3)
'((1) (2 (3)) ())
#t
#f
'()
#\a
#\λ
#\x0
'#(1 #(2) "s" #\c)
(list #t #f)
1.0
-0.5
1e10
1234567.0
12345678901234567890.0
1e21
1e-5
0.0001
123.456
(/ 9 3)
(/ 10 4)
-1/2
(exact->inexact 100)
(let ((p (open-output-string))) (display '("a" #\b c (d "e")) p) (get-output-string p))
(let ((p (open-output-string))) (write '("a" #\b c (d "e")) p) (get-output-string p))
(let ((p (open-output-string))) (write "a\\b\"c\nd\te" p) (get-output-string p))
(let ((p (open-output-string))) (display 1.5 p) (display #\x p) (display 'sym p) (get-output-string p))
(let ((p (open-output-string))) (write ''a p) (write '`(a ,b ,@c) p) (get-output-string p))
(let ((x (list 1 2))) (set-cdr! (cdr x) x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
(let ((x (list 1 2))) (let ((p (open-output-string))) (write-shared (list x x) p) (get-output-string p)))
(let ((x (list 1 2))) (let ((p (open-output-string))) (write (list x x) p) (get-output-string p)))
(let ((x (list 1 2))) (let ((p (open-output-string))) (write-simple (list x x) p) (get-output-string p)))
(let ((v (vector 1 2))) (vector-set! v 0 v) (let ((p (open-output-string))) (write v p) (get-output-string p)))
(bytevector 0 127 255)
(list 'a "b" #\c 1.5 2/3 #t '())
(number->string 1e100)
(number->string 1.7976931348623157e308)
(number->string 4.9e-324)
(number->string 0.3)
(number->string 100.5)
(number->string 1e7)
(list .5 -.25 +5 1. 10e2)
(vector 'a (list 1 (vector)) "x")
(cons 1 (cons 2 3))
(list "" (string #\") (string #\\))
(list 'sym 'Sym 'SYM)
(list #\space #\newline #\tab #\nul #\delete #\escape #\alarm #\backspace #\return)
(quote #(a b))
'#u8(1 2)
(string #\a #\nul)
(string (integer->char 127))
(string (integer->char 233) (integer->char 128512))
