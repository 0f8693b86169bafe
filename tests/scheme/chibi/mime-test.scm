;;; (chibi mime).
(import (scheme base) (chibi mime) (chibi-bridge test))

(define (in . lines)
  (open-input-string (apply string-append (map (lambda (l) (string-append l "\r\n")) lines))))

(test-begin "mime")

(test '("x" #f 1 "y") (list (mime-ref '((subject . "x")) "Subject") (mime-ref '((a . "x")) 'b)
                            (mime-ref '((a . "x")) 'b 1) (assoc-ref '((a . "y")) 'a)))
(test '((from . "a@b") (subject . "one two") (x . ""))
      (mime-headers->list (in "From: a@b" "Subject: one" "  two" "nonsense" "X:" "" "body")))
(test '(b a) (mime-header-fold (lambda (name value out) (cons name out)) '() (in "A: 1" "B: 2")))
(test '(text/html (charset . "UTF-8") (filename . "index.html"))
      (mime-parse-content-type "text/html; CHARSET=UTF-8; filename=index.html"))
(test '(multipart/form-data (boundary . "AaB03x"))
      (mime-parse-content-type "multipart/form-data, boundary=AaB03x"))
(test '(text/plain (name . "a;b")) (mime-parse-content-type "Text/Plain; name=\"a;b\""))
(test '("a=b" "é x" "plain" "ab" "=?bad")
      (map mime-decode-header '("=?UTF-8?Q?a=3Db?=" "=?utf-8?b?w6k=?= x" "plain"
                                "=?UTF-8?Q?a?= =?UTF-8?Q?b?=" "=?bad")))
(test '(mime (@ (from . "Dr. Watson") (content-type . "text/plain; charset=UTF-8"))
             "Moor is gloomy.\n")
      (mime-message->sxml (in "From:    Dr. Watson" "Content-Type: text/plain; charset=UTF-8" ""
                              "Moor is gloomy." "")))
(define message
  '("Content-type: multipart/form-data, boundary=AaB03x" "" "--AaB03x"
    "content-disposition: form-data; name=\"field1\"" "" "Joe Blow" "--AaB03x"
    "content-disposition: form-data; name=\"pics\"" "Content-type: multipart/mixed, boundary=BbC04y"
    "" "--BbC04y" "Content-disposition: attachment; filename=\"file1.txt\""
    "Content-Type: text/plain" "" "... contents of file1.txt ..." "--BbC04y"
    "Content-disposition: attachment; filename=\"file2.gif\"" "Content-type: image/gif"
    "Content-Transfer-Encoding: binary" "" "  ...c" "--BbC04y--" "--AaB03x--"))
(define expected
  '(mime
    (@ (content-type . "multipart/form-data, boundary=AaB03x"))
    (mime (@ (content-disposition . "form-data; name=\"field1\"")) "Joe Blow")
    (mime (@ (content-disposition . "form-data; name=\"pics\"")
             (content-type . "multipart/mixed, boundary=BbC04y"))
          (mime (@ (content-disposition . "attachment; filename=\"file1.txt\"")
                   (content-type . "text/plain"))
                "... contents of file1.txt ...")
          (mime (@ (content-disposition . "attachment; filename=\"file2.gif\"")
                   (content-type . "image/gif") (content-transfer-encoding . "binary"))
                #u8(32 32 46 46 46 99)))))
(test expected (mime-message->sxml (apply in message)))
(test expected (mime-message->sxml
                (open-input-bytevector
                 (string->utf8 (apply string-append
                                      (map (lambda (l) (string-append l "\n")) message))))))
(test '(mime (@ (content-transfer-encoding . "base64")) "hi")
      (mime-message->sxml (in "Content-Transfer-Encoding: base64" "" "aGk=")))
(test '(mime (@ (content-type . "image/png") (content-transfer-encoding . "base64")) #u8(1 2))
      (mime-message->sxml (in "AQI=") '((content-type . "image/png")
                                        (content-transfer-encoding . "base64"))))
(test '("é" "Joe") (mime-message-fold (lambda (parent headers body out) (cons body out))
                                       (lambda (headers seed) seed)
                                       (lambda (headers parent-seed seed) seed)
                                       '()
                                       (in "Content-type: multipart/x; boundary=b" "" "--b" "" "Joe"
                                           "--b" "Content-Transfer-Encoding: quoted-printable" ""
                                           "=C3=A9" "--b--")))

(test-end)
(test-exit)
