;;; (chibi base64).
(import (scheme base) (chibi base64) (chibi-bridge test))

(test-begin "base64")

(for-each
 (lambda (pair)
   (test (cdr pair) (base64-encode-string (car pair)))
   (test (car pair) (base64-decode-string (cdr pair))))
 '(("" . "") ("f" . "Zg==") ("fo" . "Zm8=") ("foo" . "Zm9v")
   ("foob" . "Zm9vYg==") ("fooba" . "Zm9vYmE=") ("foobar" . "Zm9vYmFy")
   ("日本語" . "5pel5pys6Kqe")))
(test #u8(251 255 254) (base64-decode-bytevector (string->utf8 "+//+")))
(test #u8(251 255 254) (base64-decode-bytevector (string->utf8 "-__-")))
(test (string->utf8 "+//+") (base64-encode-bytevector #u8(251 255 254)))
(test "foobar" (base64-decode-string "Zm9v\r\n YmFy"))
(define (through f source)
  (let ((out (open-output-string))) (f source out) (get-output-string out)))
(test "Zm9v" (through base64-encode (open-input-string "foo")))
(test "Zm9v" (through base64-encode (open-input-bytevector #u8(102 111 111))))
(test "foo" (through base64-decode "Zm9v"))
(test #u8(102) (let ((out (open-output-bytevector)))
                 (base64-decode (open-input-string "Zg==") out)
                 (get-output-bytevector out)))
(test "=?UTF-8?B?YWJj?=" (base64-encode-header "UTF-8" "abc"))
(test "=?UTF-8?B?YWJj?=\n =?UTF-8?B?ZGVm?="
      (base64-encode-header "UTF-8" "abcdef" 0 16 "\n"))

(test-end)
(test-exit)
