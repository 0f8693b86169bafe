;;; (chibi quoted-printable).
(import (scheme base) (chibi quoted-printable) (chibi-bridge test))

(define long (make-string 100 #\a))

(test-begin "quoted-printable")

(test "a vite pédagogues qu'un à"
      (quoted-printable-decode-string
       "a =\nvite p=C3=A9dagogues qu'=\r\nun =  \n=c3=a0"))
(test "a=b =XY_" (quoted-printable-decode-string "a=3Db =XY_"))
(test "a b" (quoted-printable-decode-string "a_b" #t))
(test #u8(61 255) (quoted-printable-decode-bytevector
                   (string->utf8 "=3D=FF")))
(test "a=3D=C3=A9 b=20\nc=09" (quoted-printable-encode-string "a=é b \nc\t"))
(test #u8(65 61 51 68) (quoted-printable-encode-bytevector #u8(65 61)))
(test (string-append (make-string 75 #\a) "=\r\n" (make-string 25 #\a))
      (quoted-printable-encode-string long))
(test "aaa=\r\naaa=\r\naa" (quoted-printable-encode-string "aaaaaaaa" 0 4))
(test "a=\r\naa" (quoted-printable-encode-string "aaa" 2 4))
(let ((text "Ünï=cödé \t line\r\nend  \n\n=="))
  (test text (quoted-printable-decode-string
              (quoted-printable-encode-string text 0 10))))
(define (through f in)
  (let ((out (open-output-string))) (f in out) (get-output-string out)))
(test "=3D" (through quoted-printable-encode (open-input-string "=")))
(test "=" (through quoted-printable-decode (open-input-bytevector #u8(61 51 68))))
(test "=?UTF-8?Q?a_=C3=A9=3F?=" (quoted-printable-encode-header "UTF-8" "a é?"))
(test "=?U?Q?abc?=\n =?U?Q?de?="
      (quoted-printable-encode-header "U" "abcde" 0 11 "\n"))

(test-end)
(test-exit)
